/**
 * Runs in the page of the picture tests: players over recordings, moved at random, and compared
 * with a stage that was just opened at the same moment. Bundled into the page.
 */
import { seededRandom } from '@afterimage/server/testing/seeded-random'
import {
  createPlayer,
  speeds,
  type Player,
} from '../../apps/console/features/replay/player/player.ts'
import { drawnEventsOf } from '../../apps/console/features/replay/player/drawn-events.ts'
import { openStage, type Stage } from '../../apps/console/features/replay/player/stage.ts'
import { joinSegments } from '../../apps/console/features/replay/timeline/recording.ts'
import {
  deriveTimeline,
  type Timeline,
} from '../../apps/console/features/replay/timeline/timeline.ts'
import { canonicalDom } from './canonical-dom.ts'
import { wholeDom } from './whole-dom.ts'

type Segments = readonly { readonly segmentId: number; readonly events: readonly unknown[] }[]

export function timelineOf(segments: Segments): Timeline {
  return deriveTimeline(joinSegments(segments))
}

export async function openIn(timeline: Timeline): Promise<{ root: HTMLElement; stage: Stage }> {
  const root = document.createElement('div')
  root.style.cssText = 'position:absolute;left:0;top:0;width:640px;height:400px'
  document.body.append(root)
  const stage = await openStage(root, drawnEventsOf(timeline.recording), { onSize: () => {} })
  return { root, stage }
}

/** The document of a stage that was just opened, at a moment. */
export async function freshDom(
  timeline: Timeline,
  at: number,
  read: (root: Document) => string = wholeDom,
): Promise<string> {
  const { root, stage } = await openIn(timeline)
  stage.draw(at, 0)
  const drawn = stage.document()
  const text = drawn === null ? '' : read(drawn)
  stage.close()
  root.remove()
  return text
}

export const canonicalAt = (timeline: Timeline, at: number): Promise<string> =>
  freshDom(timeline, at, (root) => canonicalDom(root, false))

/**
 * Moves one player for each recording about by chance, one sequence after another. Returns what was done before
 * the first picture that differs from a fresh one; null when all were right.
 */
export async function moveByChance(
  timelines: readonly Timeline[],
  seeds: { readonly from: number; readonly count: number },
): Promise<{ readonly seed: number; readonly done: string[]; differences: string[] } | null> {
  const share = Math.ceil(seeds.count / timelines.length)
  for (const [index, timeline] of timelines.entries()) {
    const { root, stage } = await openIn(timeline)
    const frames = manualFrames()
    const player = createPlayer({ timeline, at: 0, ...frames.options })
    player.attach(stage)
    for (let turn = 0; turn < share; turn += 1) {
      const seed = seeds.from + index * share + turn
      const done = actByChance(player, frames.pass, seededRandom(seed))
      const drawn = wholeDom(stage.document() as Document)
      const fresh = await freshDom(timeline, player.at())
      if (drawn !== fresh) return { seed, done, differences: differencesOf(drawn, fresh) }
    }
    player.close()
    stage.close()
    root.remove()
  }
  return null
}

function actByChance(
  player: Player,
  pass: (frameMs: number) => void,
  chance: () => number,
): string[] {
  const done: string[] = []
  const count = 3 + Math.floor(chance() * 10)
  for (let index = 0; index < count; index += 1) done.push(actOnce(player, pass, chance))
  player.pause()
  return [...done, `rest at ${player.at()}`]
}

/** The lines that only one of two texts has. */
function differencesOf(drawn: string, fresh: string): string[] {
  const [ours, theirs] = [drawn.split('\n'), fresh.split('\n')]
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)]
  return [
    ...ours.filter((line) => !inTheirs.has(line)).map((line) => `drawn ${line}`),
    ...theirs.filter((line) => !inOurs.has(line)).map((line) => `fresh ${line}`),
    `lines ${ours.length} and ${theirs.length}`,
  ]
}

/** Frames that come when they are asked for. */
function manualFrames() {
  let waiting: ((now: number) => void) | null = null
  let now = 0
  return {
    options: {
      nextFrame: (callback: (now: number) => void) => {
        waiting = callback
        return 1
      },
      cancelFrame: () => {
        waiting = null
      },
    },
    pass: (frameMs: number) => {
      const callback = waiting
      waiting = null
      now += frameMs
      callback?.(now)
    },
  }
}

function actOnce(player: Player, pass: (frameMs: number) => void, chance: () => number): string {
  const { recording, durationMs } = player.timeline()
  const actions: Record<string, () => string> = {
    play: () => {
      player.play()
      const frames = Math.floor(chance() * 20)
      for (let frame = 0; frame < frames; frame += 1) pass(1 + chance() * 40)
      return `${frames} frames`
    },
    pause: () => (player.pause(), ''),
    toggle: () => (player.toggle(), ''),
    seek: () => seekTo(player, chance() * durationMs),
    // Right at an event, and just beside it, is where a player goes wrong.
    boundary: () => {
      const event = recording.drawn[Math.floor(chance() * recording.drawn.length)]
      const at = (event?.timestamp ?? 0) - recording.startedAt
      return seekTo(player, at + Math.floor(chance() * 3) - 1)
    },
    back: () => seekTo(player, player.at() - 10_000),
    forward: () => seekTo(player, player.at() + 10_000),
    start: () => seekTo(player, 0),
    marker: () => (player.step(chance() < 0.5 ? 1 : -1), ''),
    speed: () => {
      player.setSpeed(speeds[Math.floor(chance() * speeds.length)] ?? 1)
      return String(player.state().speed)
    },
    skip: () => (player.setSkippingIdle(chance() < 0.5), ''),
  }
  const names = Object.keys(actions)
  const name = names[Math.floor(chance() * names.length)] ?? 'play'
  return `${name} ${actions[name]?.() ?? ''}`
}

function seekTo(player: Player, at: number): string {
  player.seek(at)
  return String(at)
}

Object.assign(window, { timelineOf, freshDom, canonicalAt, moveByChance, wholeDom, openIn })
