import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedFolder } from '../../../../../tools/shared-folder.ts'
import { joinSegments } from './recording.ts'
import type { RecordedSegment } from './recording.ts'
import { deriveTimeline } from './timeline.ts'

/** The recordings of one envelope; enough of the format for bodies that are known to be well formed. */
function recordingsIn(body: Buffer): RecordedSegment[] {
  const segments: RecordedSegment[] = []
  let position = body.indexOf(10) + 1
  while (position > 0 && position < body.length) {
    const lineEnd = body.indexOf(10, position)
    const header = JSON.parse(body.subarray(position, lineEnd).toString()) as {
      type: string
      length?: number
    }
    const end =
      header.length === undefined ? indexOrEnd(body, lineEnd + 1) : lineEnd + 1 + header.length
    const payload = body.subarray(lineEnd + 1, end)
    if (header.type === 'replay_recording') {
      const split = payload.indexOf(10)
      const { segment_id: segmentId } = JSON.parse(payload.subarray(0, split).toString()) as {
        segment_id: number
      }
      const bytes = payload.subarray(split + 1)
      const text = bytes[0] === 0x78 ? inflateSync(bytes) : bytes
      segments.push({ segmentId, events: JSON.parse(text.toString()) as unknown[] })
    }
    position = end + 1
  }
  return segments
}

function indexOrEnd(body: Buffer, from: number): number {
  const found = body.indexOf(10, from)
  return found < 0 ? body.length : found
}

test('every recorded replay gives a timeline with pages, steps and something to draw', (context) => {
  const corpus = sharedFolder('corpus')
  if (corpus === null) return context.skip('not run: ../shared/corpus is not here')
  const byJob = new Map<string, RecordedSegment[]>()
  for (const file of readdirSync(corpus)) {
    if (!file.endsWith('.envelope') || !file.includes('replay_recording')) continue
    const { segments, replayId } = readCorpusFile(join(corpus, file))
    byJob.set(replayId, [...(byJob.get(replayId) ?? []), ...segments])
  }
  expect(byJob.size).toBeGreaterThan(5)
  for (const segments of byJob.values()) {
    const timeline = deriveTimeline(joinSegments(segments))
    expect(timeline.recording.droppedEvents).toBe(0)
    expect(timeline.recording.drawn.length).toBeGreaterThan(1)
    expect(timeline.durationMs).toBeGreaterThan(0)
    expect(timeline.durationMs).toBeLessThan(3_600_000)
    expect(timeline.chapters.length).toBeGreaterThan(0)
    expect(timeline.steps.length).toBeGreaterThan(0)
    expect(timeline.steps.every((step) => step.at >= 0)).toBe(true)
  }
})

function readCorpusFile(path: string): { segments: RecordedSegment[]; replayId: string } {
  const body = readFileSync(path)
  const header = JSON.parse(body.subarray(0, body.indexOf(10)).toString()) as { event_id: string }
  return { segments: recordingsIn(body), replayId: header.event_id }
}
