/* carom.hpp: carom.h for C++17: objects that free themselves, lists with begin and end, errors as
 * exceptions. Everything of carom.h can be called beside it: get() is the C object.
 *
 *     carom::world world;
 *     world.add(carom::body(CAROM_BODY_FIXED).at(0, -1).shape(carom_rect(40, 2)));
 *     carom_body ball = world.add(carom::body(CAROM_BODY_DYNAMIC).at(0,
 * 8).shape(carom_circle(0.5f))); for (int k = 0; k < 120; k++) world.step(1.0f / 60.0f); float
 * height = world.position(ball).y;
 */
#ifndef CAROM_HPP
#define CAROM_HPP

#include "carom.h"

#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/* Ids are equal if both of their numbers are. */
#define CAROM_ID(type)                                                                             \
    inline bool operator==(type a, type b) {                                                       \
        return a.slot == b.slot && a.generation == b.generation;                                   \
    }                                                                                              \
    inline bool operator!=(type a, type b) { return !(a == b); }
CAROM_ID(carom_body)
CAROM_ID(carom_shape)
CAROM_ID(carom_joint)
CAROM_ID(carom_agent)
CAROM_ID(carom_obstacle)
#undef CAROM_ID

namespace carom {

/* A refused call: its status, and the rule that it broke as text. */
class error : public std::runtime_error {
  public:
    explicit error(carom_status status) : std::runtime_error(carom_last_error()), status_(status) {}
    carom_status status() const { return status_; }

  private:
    carom_status status_;
};

/* Throws unless a call went well. */
inline void check(carom_status status) {
    if (status != CAROM_OK) throw error(status);
}

/* A list in memory of the library: until the next call that changes its object. */
template <class T> class list {
  public:
    list(const T *first, std::size_t count) : first_(first), count_(count) {}
    const T *begin() const { return first_; }
    const T *end() const { return first_ + count_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const T &operator[](std::size_t k) const { return first_[k]; }

  private:
    const T *first_;
    std::size_t count_;
};

/* Calls a function of carom.h whose last two arguments are a list. */
template <class T, class... Parameters, class... Arguments>
list<T> listed(carom_status (*call)(Parameters...), Arguments... arguments) {
    const T *first = nullptr;
    std::size_t count = 0;
    check(call(arguments..., &first, &count));
    return {first, count};
}

/* Calls a function of carom.h that fills memory of the caller: once for the size, once for all. */
template <class T>
std::vector<std::uint8_t>
filled(carom_status (*call)(T *, std::uint8_t *, std::size_t, std::size_t *), T *object) {
    std::size_t size = 0;
    carom_status status = call(object, nullptr, 0, &size);
    if (status != CAROM_BUFFER_TOO_SMALL) check(status);
    std::vector<std::uint8_t> bytes(size);
    check(call(object, bytes.data(), bytes.size(), &size));
    return bytes;
}

/* Owns an object of carom.h. */
template <class T, void (*Free)(T *)> class object {
  public:
    /* Takes over a new object; throws if there is none, for the call that made it failed. */
    explicit object(T *made) : made_(made) {
        if (made == nullptr) throw error(carom_last_status());
    }
    T *get() const { return made_.get(); }

  private:
    struct deleter {
        void operator()(T *made) const { Free(made); }
    };
    std::unique_ptr<T, deleter> made_;
};

/* The definition of a body, with its shapes. */
class body {
  public:
    carom_body_def def;
    explicit body(carom_body_kind kind) : def(carom_body_def_default(kind)) {}
    body &at(float x, float y) { return at(carom_at(x, y)); }
    body &at(carom_point place) {
        def.position = place;
        return *this;
    }
    body &angle(float radians) {
        def.angle = radians;
        return *this;
    }
    body &velocity(float x, float y) {
        def.velocity = carom_vec(x, y);
        return *this;
    }
    /* Adds a shape of the default density and material. */
    body &shape(carom_geometry geometry) { return shape(carom_shape_def_default(geometry)); }
    body &shape(const carom_shape_def &shape) {
        shapes_.push_back(shape);
        return *this;
    }
    /* The definition as carom.h wants it, as long as this lives and gets no more shapes. */
    const carom_body_def &get() {
        def.shapes = shapes_.data();
        def.shape_count = shapes_.size();
        return def;
    }

  private:
    std::vector<carom_shape_def> shapes_;
};

/* A world. A copy has an equal future. */
class world : public object<carom_world, carom_world_free> {
  public:
    world() : object(carom_world_new(nullptr)) {}
    explicit world(const carom_world_def &def) : object(carom_world_new(&def)) {}
    explicit world(carom_world *made) : object(made) {}
    world(const world &other) : object(carom_world_clone(other.get())) {}
    world(world &&) = default;
    world &operator=(world &&) = default;
    world &operator=(const world &other) {
        if (this != &other) check(carom_world_copy(get(), other.get()));
        return *this;
    }

    carom_step_stats step(float dt) {
        carom_step_stats stats;
        check(carom_world_step(get(), dt, &stats));
        return stats;
    }

    carom_body add(body &def) {
        carom_body id;
        check(carom_body_add(get(), &def.get(), &id));
        return id;
    }
    carom_body add(body &&def) { return add(def); }
    carom_shape attach(carom_body to, const carom_shape_def &def) {
        carom_shape id;
        check(carom_shape_attach(get(), to, &def, &id));
        return id;
    }
    carom_joint add(const carom_joint_def &def) {
        carom_joint id;
        check(carom_joint_add(get(), &def, &id));
        return id;
    }
    void remove(carom_body id) { check(carom_body_remove(get(), id)); }
    void remove(carom_shape id) { check(carom_shape_detach(get(), id)); }
    void remove(carom_joint id) { check(carom_joint_remove(get(), id)); }
    bool has(carom_body id) const { return carom_body_exists(get(), id); }
    bool has(carom_shape id) const { return carom_shape_exists(get(), id); }
    bool has(carom_joint id) const { return carom_joint_exists(get(), id); }

    /* NaN for a body that is gone. */
    carom_vec2 position(carom_body id) const { return carom_body_position(get(), id); }
    carom_vec2 velocity(carom_body id) const { return carom_body_velocity(get(), id); }
    float angle(carom_body id) const { return carom_body_angle(get(), id); }
    carom_body_state read(carom_body id) const {
        carom_body_state state;
        check(carom_body_read(get(), id, &state));
        return state;
    }
    carom_joint_state read(carom_joint id) const {
        carom_joint_state state;
        check(carom_joint_read(get(), id, &state));
        return state;
    }
    void set_velocity(carom_body id, carom_vec2 to) {
        check(carom_body_set_velocity(get(), id, to));
    }
    void apply_force(carom_body id, carom_vec2 force) {
        check(carom_body_apply_force(get(), id, force));
    }
    void apply_impulse(carom_body id, carom_vec2 by) {
        check(carom_body_apply_impulse(get(), id, by));
    }
    void teleport(carom_body id, carom_point to) { check(carom_body_teleport(get(), id, to)); }

    list<carom_body> bodies() { return listed<carom_body>(carom_bodies, get()); }
    list<carom_shape> shapes(carom_body of) {
        return listed<carom_shape>(carom_body_shapes, get(), of);
    }
    list<carom_pose> poses(float alpha = 1.0f) {
        return listed<carom_pose>(carom_world_poses, get(), alpha);
    }
    list<carom_touch> begun() { return listed<carom_touch>(carom_world_begun, get()); }
    list<carom_touch> ended() { return listed<carom_touch>(carom_world_ended, get()); }
    list<carom_hit> hits() { return listed<carom_hit>(carom_world_hits, get()); }
    list<carom_sensor_event> entered() {
        return listed<carom_sensor_event>(carom_world_entered, get());
    }
    list<carom_sensor_event> left() { return listed<carom_sensor_event>(carom_world_left, get()); }
    list<carom_joint_break> broken() {
        return listed<carom_joint_break>(carom_world_broken, get());
    }
    list<carom_contact> contacts() { return listed<carom_contact>(carom_world_contacts, get()); }
    list<carom_moved> moved() { return listed<carom_moved>(carom_world_moved, get()); }
    list<carom_line> lines(const carom_draw_options *options = nullptr) {
        return listed<carom_line>(carom_world_lines, get(), options);
    }

    std::optional<carom_ray_answer> ray(carom_ray along,
                                        const carom_query_filter *filter = nullptr) const {
        carom_ray_answer answer;
        if (!carom_world_ray(get(), along, filter, &answer)) return std::nullopt;
        return answer;
    }
    std::optional<carom_cast_answer> cast(const carom_cast &along,
                                          const carom_query_filter *filter = nullptr) const {
        carom_cast_answer answer;
        if (!carom_world_cast(get(), &along, filter, &answer)) return std::nullopt;
        return answer;
    }
    std::optional<carom_nearest_answer> nearest(carom_point to, float within,
                                                const carom_query_filter *filter = nullptr) const {
        carom_nearest_answer answer;
        if (!carom_world_nearest(get(), to, within, filter, &answer)) return std::nullopt;
        return answer;
    }
    list<carom_overlap_answer> overlap(carom_world_aabb area,
                                       const carom_query_filter *filter = nullptr) {
        return listed<carom_overlap_answer>(carom_world_overlap_box, get(), area, filter);
    }

    std::uint64_t hash() const { return carom_world_hash(get()); }
    std::uint64_t step_count() const { return carom_world_step_count(get()); }
    std::vector<std::uint8_t> save() { return filled(carom_world_save, get()); }
    std::vector<std::uint8_t> save_whole() { return filled(carom_world_save_whole, get()); }
    void load(const std::vector<std::uint8_t> &bytes) {
        check(carom_world_load(get(), bytes.data(), bytes.size()));
    }
};

/* The last steps of a world, for rollback. */
class ring : public object<carom_ring, carom_ring_free> {
  public:
    explicit ring(std::size_t frames) : object(carom_ring_new(frames)) {}
    void save(const world &of) { check(carom_ring_save(get(), of.get())); }
    void load(std::uint64_t step, world &into) { check(carom_ring_load(get(), step, into.get())); }
};

/* Bodies out of a world. */
class piece : public object<carom_piece, carom_piece_free> {
  public:
    explicit piece(carom_piece *made) : object(made) {}
    static piece cut(world &from, carom_world_aabb area, carom_ties ties = CAROM_TIES_STAY) {
        return piece(carom_world_cut(from.get(), area, ties));
    }
    static piece read(const std::vector<std::uint8_t> &bytes) {
        return piece(carom_piece_read(bytes.data(), bytes.size()));
    }
    std::vector<std::uint8_t> save() { return filled(carom_piece_save, get()); }
    list<carom_body> paste(world &into, carom_point corner) const {
        const carom_body *bodies = nullptr;
        std::size_t count = 0;
        check(carom_world_paste(into.get(), get(), corner, &bodies, &count, nullptr, nullptr));
        return {bodies, count};
    }
};

/* A kinematic character. */
class mover : public object<carom_mover, carom_mover_free> {
  public:
    mover() : object(carom_mover_new(nullptr)) {}
    explicit mover(const carom_mover_def &def) : object(carom_mover_new(&def)) {}
    carom_move_outcome slide(const world &in, carom_point place, carom_vec2 velocity, float dt) {
        carom_move_outcome outcome;
        check(carom_mover_slide(get(), in.get(), place, velocity, dt, nullptr, &outcome));
        return outcome;
    }
};

/* Objects of navigation; their functions are those of carom.h. */
using map = object<carom_map, carom_map_free>;
using search = object<carom_search, carom_search_free>;
using flow = object<carom_flow, carom_flow_free>;
using mesh = object<carom_mesh, carom_mesh_free>;
using way = object<carom_way, carom_way_free>;
using crowd = object<carom_crowd, carom_crowd_free>;
using prepared = object<carom_prepared, carom_prepared_free>;
using prediction = object<carom_prediction, carom_prediction_free>;
using replay = object<carom_replay, carom_replay_free>;

} // namespace carom

#endif
