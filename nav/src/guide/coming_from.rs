//! Coming from another library: its names and carom-nav's.
//!
//! Four things hold for all of them. Land is flat: levels are parts of one mesh, joined by links.
//! No mesh is baked: it is built from outlines or a physics world, and changes in microseconds. A
//! radius belongs to a request, not to the mesh. Budgets count expanded nodes, not milliseconds, so
//! all machines do the same.
//!
//! # Recast and Detour
//!
//! | Recast, Detour | carom-nav |
//! |---|---|
//! | `rcBuildPolyMesh`, a tile of `dtNavMesh` | `Mesh::new`, `Mesh::add`, or `Mesh::sync` with a physics world |
//! | `walkableRadius`, one mesh a size of agents | the radius of each request |
//! | `dtNavMeshQuery`, one a thread | `MeshQuery`, one a thread; alone: the mesh itself |
//! | `findNearestPoly` | `nearest_place` |
//! | `findPath`, then `findStraightPath` | `way`: the shortest way in one call, with arcs about corners |
//! | a partial result (`DT_PARTIAL_RESULT`) | `way_towards`, which answers `Reached::Nearest` |
//! | `raycast` | `ray` |
//! | `findRandomPoint`, `findRandomPointAroundCircle` | `random_place`, `random_place_near` |
//! | `initSlicedFindPath` | `Queue`, on tiles; ways on a mesh take microseconds |
//! | `dtQueryFilter`: area costs, flags | `Mesh::add_area`; kinds of links |
//! | off-mesh connections | `Link`, `Mesh::route` |
//! | `dtTileCache`, obstacles | `Mesh::add`, `Mesh::remove` |
//! | `dtCrowd`, `addAgent`, `requestMoveTarget` | `Crowd::add`, `Crowd::follow_way`; an agent is a body |
//! | `dtCrowdAgent`: `nvel`, `dvel`, `targetState` | `Crowd::state` |
//! | `dtPathCorridor` | a way that is not current any more is asked for anew: `Mesh::is_current` |
//!
//! # Unity (`NavMesh`, `NavMeshAgent`)
//!
//! | Unity | carom-nav |
//! |---|---|
//! | `NavMeshSurface.BuildNavMesh` | `Mesh::sync` after each step |
//! | `NavMesh.CalculatePath`, `NavMeshPath.corners` | `Mesh::way`, `Way::points` |
//! | `NavMeshPathStatus.PathPartial` | `Reached::Nearest` of `way_towards` |
//! | `NavMesh.SamplePosition` | `nearest_place` |
//! | `NavMesh.Raycast`, `FindClosestEdge` | `ray`; `nearest_place` with the wished distance as its radius |
//! | `NavMeshObstacle` with carving | fixed bodies, or `Ground::with_sleepers` |
//! | `NavMeshLink`, `OffMeshLink` | `Link`, `Mesh::route` |
//! | areas and their costs | `Mesh::add_area` |
//! | `agent.SetDestination` | `mesh.way(…)`, `crowd.follow_way(…)` |
//! | `agent.remainingDistance`, `steeringTarget`, `desiredVelocity`, `isStopped` | `left`, `next`, `wish`, `doing` of `crowd.state(…)` |
//! | `agent.avoidancePriority` (lower is more important) | `Agent::priority` (higher is more important) |
//!
//! # Godot (`NavigationServer2D`)
//!
//! | Godot | carom-nav |
//! |---|---|
//! | `NavigationRegion2D`, `bake_navigation_polygon` | `Mesh`, `Mesh::sync` |
//! | `map_get_path(map, from, to, optimize)` | `Mesh::way`; Godot ends at the nearest point, as `way_towards` does |
//! | `map_get_closest_point`, `map_get_random_point` | `nearest_place`, `random_place` |
//! | `NavigationAgent2D.target_position`, `get_next_path_position` | `Crowd::follow_way`; `next` of `Crowd::state` |
//! | `is_navigation_finished`, `is_target_reachable`, `distance_to_target` | `doing`, `Mesh::reachable`, `left` |
//! | `velocity_computed`, avoidance | the crowd applies forces itself; `wish` is the velocity before avoidance |
//! | `NavigationLink2D`, `travel_cost` of a region | `Link`; `Mesh::add_area` |
//! | `NavigationObstacle2D` | fixed or kinematic bodies |
//! | `AStarGrid2D`, `AStar2D` | `grid::Search`; `graph::List` |
//!
//! # polyanya (the crate)
//!
//! | polyanya | carom-nav |
//! |---|---|
//! | `Triangulation::from_outer_edges`, `add_obstacle`, `as_navmesh` | `Mesh::new`, `Mesh::add`; obstacles are removed again |
//! | `mesh.path(from, to)`: `Option<Path>`, `&self` | `mesh.way(from, to, radius, &mut way)`: `Result`, or `MeshQuery` with `&mesh` |
//! | inflated obstacles for agents with a size | the radius of the request: no corner is cut or filled in |
//! | `path.path`, `path.length` | `way.points(sag, &mut points)`, `way.length()` |
//! | `point_in_mesh`, `get_closest_point` | `nearest_place` |
//! | layers, stitched | levels in one mesh, with `Links` |
//!
//! # A* Pathfinding Project
//!
//! | A* Pathfinding Project | carom-nav |
//! |---|---|
//! | `GridGraph`, `LayerGridGraph` | `grid::Map` |
//! | `RecastGraph`, `NavmeshCut` | `Mesh`, `Mesh::add` |
//! | `PointGraph` | `graph::Waypoints`, `graph::List` |
//! | `seeker.StartPath(start, end, callback)` | `Queue::ask`, `Queue::work`, `Queue::take` |
//! | `ABPath`, `MultiTargetPath`, `ConstantPath`, `RandomPath` | `Search::path`, `Search::nearest`, `field::Reach`, `random_place_near` |
//! | `PathUtilities.IsPathPossible` | `Map::connected`, `Mesh::reachable` |
//! | `GraphUpdateObject`, penalties, tags | `Map::set_wall`, `Map::set_cost`, layers of extra costs |
//! | `AIPath`, `FollowerEntity`, `RVOController` | `Crowd` |
//! | `reachedDestination`, `remainingDistance`, `desiredVelocity` | `doing`, `left`, `wish` of `Crowd::state` |
//! | funnel and raycast modifiers | none is needed: a way is the shortest; tiles: `Map::taut` |
//! | local avoidance with priorities | `Agent::priority` |
//!
//! Missing: terrain with heights and slopes, meshes over triangles in space, editors.
