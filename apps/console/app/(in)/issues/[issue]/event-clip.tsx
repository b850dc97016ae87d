'use client'

import type { ApiEvent } from '@afterimage/protocol/api'
import { useMemo } from 'react'
import { recordingAt } from '../../../../data/recording.ts'
import { ReplayClip, type ClipCursor } from '../../../../features/replay/clip.tsx'

/** Draws the replay at the moment of this event, read from the API. */
export function EventClip(props: {
  readonly event: ApiEvent
  /** It may belong to another project: a server's error during a visit in the browser. */
  readonly replay: { readonly id: string; readonly project: string }
  readonly onCursor: (cursor: ClipCursor) => void
}) {
  const { event, replay } = props
  const path = `/api/0/projects/main/${replay.project}/replays/${replay.id}/recording-segments/`
  const source = useMemo(() => recordingAt(path), [path])
  // The recording uses the client's clock, which may differ from the corrected time.
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
  return (
    <ReplayClip source={source} errors={errors} errorAt={timestamp} onCursor={props.onCursor} />
  )
}
