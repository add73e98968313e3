/* Random calls: dead ids, NULL, NaN, wrong enumerations. Usage: random [calls] [seed].
 *
 * The program ends with an error if a call panics, if a refused call changes a world, or if a world
 * breaks a rule of its own; a sanitizer or valgrind ends it for memory. It prints how many calls
 * there were, how many were refused, and which functions never succeeded. */
#include "random_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 4, ROUND = 3000, SCRATCH = 4096 };

static uint64_t state = 1;
static void *scraps[SCRATCH];
static size_t scrap_count;
static uint8_t *images[IMAGES];
static size_t image_sizes[IMAGES];
static const carom_world *stepping;
static volatile uint8_t sink;
static size_t refused, judged, compared, current;
static size_t successes[1000];
static bool calm;

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators". */
uint64_t random_bits(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717ULL >> 16;
}

uint32_t random_below(uint32_t end) { return end == 0 ? 0 : (uint32_t)(random_bits() % end); }

bool random_odd(void) { return !calm && random_below(5) == 0; }

bool random_missing(void) { return !calm && random_below(20) == 0; }

bool random_fair(void) { return calm && random_below(8) != 0; }

carom_geometry fair_geometry(void) {
    static const carom_vec2 arrow[] = {{0, 0}, {2, 1}, {0, 2}, {1, 1}};
    static const carom_vec2 line[] = {{4, 0}, {1, 0}, {-2, 0.5f}, {-4, 0}};
    static carom_tile_cell cells[12];
    static carom_geometry parts[2];
    for (size_t k = 0; k < 12; k++) cells[k].kind = (uint8_t)random_below(16);
    parts[0] = carom_circle(0.5f);
    parts[1] = carom_rect(2.0f, 0.3f);
    float size = 0.2f + 0.1f * (float)random_below(20);
    static const uint8_t pixels[] = {0, 1, 1, 0, 1, 1, 1, 1};
    switch (random_below(13)) {
    case 12: return carom_mask(0.25f, 4, pixels, 8, 0.0f);
    case 0: return carom_circle(size);
    case 1: return carom_capsule(carom_vec(0, -size), carom_vec(0, size), 0.5f * size);
    case 2: return carom_regular(3 + random_below(6), size);
    case 3: return carom_hull(arrow, 4);
    case 4: return carom_outline(arrow, 4);
    case 5: return carom_compound(parts, 2);
    case 6: return carom_tiles(size, 4, cells, 12);
    case 7: return carom_chain(line, 4);
    case 8: return carom_segment(carom_vec(-size, 0), carom_vec(size, 0));
    case 9:
        return random_below(4) == 0 ? carom_half_plane(carom_vec(0, -size), carom_vec(0, 1))
                                    : carom_circle(size);
    default: return carom_rect(size, 1.0f);
    }
}

void succeeded(void) { successes[current]++; }

float random_f32(void) {
    static const float odd[] = {NAN,    INFINITY, -INFINITY, 0.0f,  -0.0f,
                                1e-38f, 1e9f,     -1e20f,    3e38f, 1e-4f};
    switch (calm ? 2 + random_below(10) : random_below(12)) {
    case 0: return odd[random_below(sizeof odd / sizeof *odd)];
    case 1: return (float)random_below(2000) - 1000.0f;
    case 2: return 1.0f / 60.0f;
    case 3: return (float)random_below(1000) * -0.01f;
    default: return (float)random_below(1000) * 0.01f;
    }
}

double random_f64(void) { return (double)random_f32(); }

int32_t random_i32(void) {
    return random_odd() ? (int32_t)(uint32_t)random_bits() : (int32_t)random_below(20) - 4;
}

uint8_t random_u8(void) {
    return (uint8_t)(random_below(4) == 0 ? random_below(256) : random_below(16));
}

uint16_t random_u16(void) { return (uint16_t)random_bits(); }

uint32_t random_u32(void) {
    return random_odd() && random_below(4) == 0 ? (uint32_t)random_bits() : random_below(24);
}

uint64_t random_u64(void) { return random_below(8) == 0 ? random_bits() : random_below(64); }

size_t random_size(void) { return random_odd() ? SIZE_MAX : random_below(16); }

bool random_bool(void) { return random_below(2) != 0; }

void *random_context(void) { return &state; }

const char *random_text(void) {
    static const char *const texts[] = {"..#\n.#.\n...\n", "",       "\xff\xfe",
                                        "..\n.\n",         "....\n", "?\n"};
    return random_missing() ? NULL : texts[calm ? 0 : random_below(6)];
}

size_t random_count(void) { return random_below(7) == 0 ? random_below(40) : random_below(7); }

size_t random_room(void) { return random_odd() ? random_below(64) : 200000; }

void *scratch(size_t bytes) {
    if (bytes == 0 || scrap_count == SCRATCH) return NULL;
    void *memory = calloc(1, bytes);
    if (memory == NULL) abort();
    scraps[scrap_count++] = memory;
    return memory;
}

void forget_scratch(void) {
    while (scrap_count > 0) free(scraps[--scrap_count]);
}

void look(const void *memory, size_t bytes) {
    const uint8_t *byte = (const uint8_t *)memory;
    for (size_t k = 0; k < bytes; k++) sink = (uint8_t)(sink ^ byte[k]);
}

void keep_image(const uint8_t *bytes, size_t count) {
    size_t k = random_below(IMAGES);
    if (count == 0 || bytes == NULL) return;
    free(images[k]);
    images[k] = (uint8_t *)malloc(count);
    if (images[k] == NULL) abort();
    memcpy(images[k], bytes, count);
    image_sizes[k] = count;
}

void random_image(uint8_t **bytes, size_t *count) {
    size_t k = random_below(IMAGES);
    if (images[k] == NULL || random_below(4) == 0) return;
    uint8_t *copy = (uint8_t *)scratch(image_sizes[k]);
    if (copy == NULL) return;
    memcpy(copy, images[k], image_sizes[k]);
    *bytes = copy;
    *count = image_sizes[k];
    if (random_below(3) == 0)
        copy[random_below((uint32_t)*count)] ^= (uint8_t)(1u << random_below(8));
    if (random_below(10) == 0) *count = random_below((uint32_t)*count);
}

uint64_t hash_if_lucky(const carom_world *world) {
    stepping = world;
    return random_below(16) == 0 ? carom_world_hash(world) : 0;
}

static void fail(const char *name, const char *why) {
    printf("FINDING in carom_%s: %s: %s\n", name, why, carom_last_error());
    exit(1);
}

void judge(const char *name, carom_status status, const carom_world *world, uint64_t before) {
    stepping = NULL;
    judged++;
    if (status == CAROM_OK) {
        succeeded();
        return;
    }
    refused++;
    if (status == CAROM_BROKEN || carom_last_status() == CAROM_BROKEN) fail(name, "a panic");
    if (status == CAROM_INVALID) fail(name, "a world breaks a rule");
    if (carom_status_text(status) == NULL || carom_last_error()[0] == '\0') fail(name, "no text");
    if (before == 0 || world == NULL || carom_world_hash(world) == 0) return;
    compared++;
    if (carom_world_hash(world) != before) fail(name, "a refused call changed the world");
}

void call_back(void) {
    if (stepping == NULL || random_below(4) != 0) return;
    if (carom_world_hash(stepping) != 0) fail("world_hash", "a world in use answered a hook");
}

void random_edit(carom_contact_edit *contact) {
    if (random_below(3) == 0) contact->restitution = random_f32();
    if (random_below(3) == 0) contact->static_friction = random_f32();
    if (random_below(3) == 0) contact->kinetic_friction = random_f32();
    if (random_below(3) == 0) contact->tangent_speed = random_f32();
    if (random_below(3) == 0) contact->solid = random_bool();
}

/* Begins with new objects, three of each kind. */
static void begin_round(void) {
    free_objects();
    calm = true;
    for (size_t k = 0; k < 3 * random_call_count; k++) {
        const char *name = random_calls[k % random_call_count].name;
        size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, "_new") == 0)
            random_calls[k % random_call_count].call();
    }
}

int main(int argc, char **argv) {
    size_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    state = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) * 2 + 1;
    bool verbose = argc > 3;
    for (size_t k = 0; k < calls; k++) {
        /* Objects grow: each round begins with new ones. */
        if (k % ROUND == 0) begin_round();
        calm = random_below(2) == 0;
        /* Some functions matter more than others. */
        size_t which = random_below((uint32_t)random_call_count);
        for (size_t other = 0; random_below(3) == 0 && other < random_call_count; other++) {
            const char *name = random_calls[other].name;
            bool wanted = strcmp(name, "world_step") == 0 || strcmp(name, "body_add") == 0 ||
                          strcmp(name, "joint_add") == 0 || strcmp(name, "world_new") == 0;
            if (wanted && random_below(4) == 0) {
                which = other;
                break;
            }
        }
        if (verbose) {
            printf("%zu %s\n", k, random_calls[which].name);
            fflush(stdout);
        }
        current = which;
        random_calls[which].call();
        forget_scratch();
        if (carom_last_status() == CAROM_BROKEN) fail(random_calls[which].name, "a panic");
    }
    free_objects();
    for (size_t k = 0; k < IMAGES; k++) free(images[k]);
    size_t never = 0;
    for (size_t k = 0; k < random_call_count; k++)
        if (successes[k] == 0 && never++ < 20) printf("never answered: %s\n", random_calls[k].name);
    printf(
        "%zu random calls of %zu functions: %zu of %zu with a status refused, %zu of them compared "
        "by hash, 0 findings\n",
        calls, random_call_count, refused, judged, compared);
    return 0;
}
