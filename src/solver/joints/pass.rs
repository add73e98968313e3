//! The joint passes of a sub-step.

/// The two halves of a sub-step: before and after bodies move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Before = 0,
    After = 1,
}

/// The four passes over joints in a sub-step: before and after positions are integrated, each time
/// before and after the pass over contacts. (With one pass after the bodies moved, a net of 10 × 10
/// that hangs still begins to swing by itself: the speeds that close its gaps stay in the
/// velocities. With contacts last, a chain that is jammed bursts; with joints only after contacts,
/// dolls sink into the ground.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointPass {
    BeforeFirst,
    BeforeLast,
    AfterFirst,
    AfterLast,
}

impl JointPass {
    /// The first pass of a half.
    #[inline(always)]
    pub(super) fn first_of(half: Half) -> JointPass {
        match half {
            Half::Before => JointPass::BeforeFirst,
            Half::After => JointPass::AfterFirst,
        }
    }

    /// The half of a pass: kernels keep impulses apart by half.
    #[inline(always)]
    pub(super) fn half(self) -> Half {
        match self {
            JointPass::BeforeFirst | JointPass::BeforeLast => Half::Before,
            JointPass::AfterFirst | JointPass::AfterLast => Half::After,
        }
    }

    /// Whether the pass comes before contacts.
    #[inline(always)]
    pub(super) fn is_first(self) -> bool {
        matches!(self, JointPass::BeforeFirst | JointPass::AfterFirst)
    }
}
