/**
 * Animations and transitions of recorded pages run by the browser's clock, which knows nothing of the recording.
 * While time passes they run along. After a jump, and at rest, those that end have ended, and those that go
 * on for ever stand at the recording's moment: the picture depends on where the cursor is, not on how it came there.
 */
export function moveAnimations(
  documents: readonly Document[],
  moment: {
    /** ms since the page began. */
    readonly at: number
    /** 0 at rest. */
    readonly speed: number
    readonly isJump: boolean
  },
): void {
  for (const animation of documents.flatMap(timedAnimations)) {
    const isRunning = moment.speed > 0 && !moment.isJump
    if (isRunning) {
      if (animation.playState === 'paused') animation.play()
      if (animation.playbackRate !== moment.speed) animation.updatePlaybackRate(moment.speed)
    } else rest(animation, moment.at)
  }
}

/** Those that follow a scroll position move with it. */
function timedAnimations(doc: Document): readonly Animation[] {
  return doc.getAnimations().filter((animation) => animation.timeline === doc.timeline)
}

function rest(animation: Animation, at: number): void {
  const end = animation.effect?.getComputedTiming().endTime
  if (typeof end === 'number' && Number.isFinite(end)) {
    // A finished one keeps its last state only where the page says so, as in a browser.
    if (animation.playState !== 'finished') animation.finish()
    return
  }
  animation.pause()
  animation.currentTime = at
}
