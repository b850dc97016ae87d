import type { ProcessedEnvelope } from '@afterimage/server/storage/events/port'
import {
  below,
  device,
  envelope,
  hex,
  pageName,
  person,
  projectIds,
  row,
  zipf,
  type Context,
} from './context.ts'

export function replayEnvelopes(
  context: Context,
  receivedAt: number,
): readonly ProcessedEnvelope[] {
  const projectId = projectIds[below(context, projectIds.length)] ?? 1
  const replayId = hex(context, 32)
  context.replayIds.push(replayId)
  if (context.replayIds.length > 100) context.replayIds.splice(0, 50)
  const where = device(context)
  const who = person(context)
  const count = 1 + zipf(context, 10)
  const start = receivedAt - count * 5_000
  return Array.from({ length: count }, (_, segmentId) => {
    const timestamp = start + (segmentId + 1) * 5_000
    const segment = row(
      'replaySegments',
      timestamp,
      {
        replayId,
        segmentId,
        replayType: 'session',
        startedAt: start,
        firstEventAt: timestamp - 5_000,
        lastEventAt: timestamp - 10,
        blobKey: `replays/${projectId}/${replayId}/${segmentId}`,
        recordingBytes: 20_000 + below(context, 50_000),
        eventCount: below(context, 500),
        urls: JSON.stringify([`https://shop.example.com${pageName(context)}`]),
        errorIds: '[]',
        traceIds: JSON.stringify(context.traceIds.slice(-1)),
        clicks: below(context, 9),
        deadClicks: below(context, 20) === 0 ? 1 : 0,
        rageClicks: below(context, 40) === 0 ? 1 : 0,
        warnings: below(context, 3),
        infos: below(context, 9),
        ...where,
        ...who,
        platform: 'javascript',
        device: 'desktop',
        sdk: 'sentry.javascript.nextjs/10.8.0',
        clientTimestamp: timestamp,
      },
      {
        tags: { environment: where.environment },
        payload: `{"replay_id":"${replayId}","n":${segmentId}}`,
      },
    )
    return envelope(context, projectId, receivedAt, { type: 'replay_event', rows: [segment] })
  })
}
