import type { ApiSharedReplay } from '@afterimage/protocol/api/shared'
import { ButtonLink } from '../../ui/button.tsx'
import { MarkerIcon } from '../../ui/marker-icon.tsx'
import type { RecordingSource } from '../replay/player/load-recording.ts'
import { ReplayScreen } from '../replay/replay-screen.tsx'
import type { ReplayError } from '../replay/timeline/steps.ts'
import { ShareMast } from './share-mast.tsx'

/** The replay page without the product around it. */
export function SharedReplay(props: {
  readonly shared: ApiSharedReplay
  readonly errors: readonly ReplayError[]
  readonly source: RecordingSource
  readonly startAt: number | null
}) {
  const { shared } = props
  return (
    <>
      <ShareMast what="a replay">
        {shared.issueToken === null ? null : (
          <ButtonLink href={`/share/issue/${shared.issueToken}`}>
            <MarkerIcon kind="error" size={10} /> The issue
          </ButtonLink>
        )}
      </ShareMast>
      <main>
        <ReplayScreen
          replay={shared.replay}
          errors={props.errors}
          source={props.source}
          startAt={props.startAt}
          backHref={null}
          isShared
        />
      </main>
    </>
  )
}
