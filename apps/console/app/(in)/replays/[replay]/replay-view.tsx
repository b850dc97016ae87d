'use client'

import type { ApiReplay } from '@afterimage/protocol/api/replay'
import { useMemo } from 'react'
import { recordingAt } from '../../../../data/recording.ts'
import { ReplayScreen } from '../../../../features/replay/replay-screen.tsx'
import type { ReplayError } from '../../../../features/replay/timeline/steps.ts'
import { ShareButton } from './share-button.tsx'

/** Gives the replay's page its recording, read from the API a part at a time. */
export function ReplayView(props: {
  readonly replay: ApiReplay
  readonly errors: readonly ReplayError[]
  readonly project: string
  readonly startAt: number | null
  readonly moment: number | null
}) {
  const { replay, project } = props
  const path = `/api/0/projects/main/${project}/replays/${replay.id}/recording-segments/`
  const source = useMemo(() => recordingAt(path), [path])
  return (
    <ReplayScreen
      replay={replay}
      errors={props.errors}
      source={source}
      startAt={props.startAt}
      moment={props.moment}
      backHref="/replays"
      actions={<ShareButton replay={replay.id} />}
    />
  )
}
