/* Random numbers, ids, objects and memory for random_calls.c; see random.c for the program.
 *
 * The state is one number, so that a seed repeats a run. */
#ifndef RANDOM_SUPPORT_H
#define RANDOM_SUPPORT_H

#include <carom.h>
#include <math.h>
#include <string.h>

struct random_call {
    const char *name;
    void (*call)(void);
};

extern const struct random_call random_calls[];
extern const size_t random_call_count;
void free_objects(void);

uint64_t random_bits(void);
uint32_t random_below(uint32_t end);

/* Half of all calls are calm: live ids, mild numbers, defaults. In others anything goes. */
bool random_odd(void);
bool random_fair(void);
bool random_missing(void);

/* Notes that the present call was not refused. */
void succeeded(void);

/* Numbers: mostly small, sometimes NaN, infinite, or beyond every range. */
float random_f32(void);
double random_f64(void);
int32_t random_i32(void);
uint8_t random_u8(void);
uint16_t random_u16(void);
uint32_t random_u32(void);
uint64_t random_u64(void);
size_t random_size(void);
bool random_bool(void);
void *random_context(void);
const char *random_text(void);

/* Lengths of lists, and of memory that the library fills. */
size_t random_count(void);
size_t random_room(void);

/* Memory that stays until the call is over; NULL for no bytes. */
void *scratch(size_t bytes);
void forget_scratch(void);

/* Geometry that breaks no rule. */
carom_geometry fair_geometry(void);

/* Reads memory to its last byte. */
void look(const void *memory, size_t bytes);

/* Images that the library wrote, sometimes damaged, in place of random bytes. */
void keep_image(const uint8_t *bytes, size_t count);
void random_image(uint8_t **bytes, size_t *count);

/* Looks at a status: a panic, or a refused call that changed its world, ends the program. */
uint64_t hash_if_lucky(const carom_world *world);
void judge(const char *name, carom_status status, const carom_world *world, uint64_t before);

/* What hooks do: they call back into a world that is in use, which must be refused. */
void call_back(void);
void random_edit(carom_contact_edit *contact);

/* Ids that were handed out: most live, many dead; sometimes zeros, or random numbers. */
#define POOL(name, size)                                                                           \
    static carom_##name pool_##name[size];                                                         \
    static size_t pool_count_##name;                                                               \
    static void keep_##name(carom_##name id) {                                                     \
        if (id.generation != 0) pool_##name[pool_count_##name++ % (size)] = id;                    \
    }                                                                                              \
    static carom_##name random_##name(void) {                                                      \
        carom_##name id;                                                                           \
        uint32_t kept = (uint32_t)(pool_count_##name < (size) ? pool_count_##name : (size));       \
        id.slot = random_below(20);                                                                \
        id.generation = random_below(8) == 0 ? (uint32_t)random_bits() : random_below(3);          \
        return kept > 0 && !(random_odd() && random_below(4) == 0)                                 \
                   ? pool_##name[random_below(kept)]                                               \
                   : id;                                                                           \
    }

/* Objects: a few slots of each kind, some of them empty. */
#define SLOTS(name, size)                                                                          \
    static carom_##name *slots_##name[size];                                                       \
    static carom_##name *slot_##name(void) {                                                       \
        size_t k = random_below(8) != 0 ? 0 : random_below(size);                                  \
        return random_missing() ? NULL : slots_##name[k];                                          \
    }                                                                                              \
    static void forget_##name(const carom_##name *object) {                                        \
        for (size_t k = 0; k < (size); k++)                                                        \
            if (slots_##name[k] == object) slots_##name[k] = NULL;                                 \
    }                                                                                              \
    static void keep_##name(carom_##name *object) {                                                \
        size_t k = 0;                                                                              \
        if (object == NULL) return;                                                                \
        succeeded();                                                                               \
        while (k < (size) && slots_##name[k] != NULL) k++;                                         \
        if (k == (size)) k = random_below(size);                                                   \
        if (slots_##name[k] != NULL && random_below(8) != 0) {                                     \
            carom_##name##_free(object);                                                           \
            return;                                                                                \
        }                                                                                          \
        carom_##name##_free(slots_##name[k]);                                                      \
        slots_##name[k] = object;                                                                  \
    }                                                                                              \
    static void free_all_##name(void) {                                                            \
        for (size_t k = 0; k < (size); k++) {                                                      \
            carom_##name##_free(slots_##name[k]);                                                  \
            slots_##name[k] = NULL;                                                                \
        }                                                                                          \
    }

#define ENUM(name, greatest)                                                                       \
    static inline carom_##name random_##name(void) {                                               \
        return random_missing() ? (carom_##name)random_bits() : random_below((greatest) + 1);      \
    }

#endif
