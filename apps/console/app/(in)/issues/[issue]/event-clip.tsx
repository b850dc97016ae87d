'use client'

import type { ApiEvent } from '@afterimage/protocol/api'
import { useCallback, useMemo } from 'react'
import { readRecording } from '../../../../data/recording.ts'
import { ReplayClip, type ClipCursor } from '../../../../features/replay/clip.tsx'

/** The replay at the moment of this event, with the API behind it. */
export function EventClip(props: {
  readonly event: ApiEvent
  /** It may be of another project: a server's error in a visit of the browser's. */
  readonly replay: { readonly id: string; readonly project: string }
  readonly onCursor: (cursor: ClipCursor) => void
}) {
  const { event, replay } = props
  const path = `/api/0/projects/main/${replay.project}/replays/${replay.id}/recording-segments/`
  const read = useCallback((signal: AbortSignal) => readRecording(path, signal), [path])
  // The recording is on the client's own clock; the corrected time may differ from it.
  const timestamp = Date.parse(event.dateClient ?? event.dateCreated)
  const level = event.tags.find((tag) => tag.key === 'level')?.value ?? 'error'
  const errors = useMemo(
    () => [
      {
        eventId: event.eventID,
        issueId: event.groupID,
        shortId: null,
        title: event.title,
        level,
        timestamp,
      },
    ],
    [event.eventID, event.groupID, event.title, level, timestamp],
  )
  return <ReplayClip read={read} errors={errors} errorAt={timestamp} onCursor={props.onCursor} />
}
