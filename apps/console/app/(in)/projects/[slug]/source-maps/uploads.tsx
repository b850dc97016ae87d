'use client'

import type { ApiArtifactBundle, ApiProject } from '@afterimage/protocol/api'
import { deleteUpload } from '../../../../../data/source-maps.ts'
import { UploadsPage } from '../../../../../features/source-maps/uploads-page.tsx'
import { useNavigation } from '../../../../../ui/navigation.tsx'

/** Draws the uploads of a project, wired to the API. */
export function Uploads(props: {
  readonly project: ApiProject
  readonly bundles: readonly ApiArtifactBundle[]
  readonly server: string
  readonly next: string | null
  readonly previous: string | null
}) {
  const { refresh } = useNavigation()
  const { slug } = props.project
  return (
    <UploadsPage
      {...props}
      onDelete={async (id) => {
        const answer = await deleteUpload(slug, id)
        if (answer.isOk) refresh()
        return answer.isOk ? null : answer.detail
      }}
    />
  )
}
