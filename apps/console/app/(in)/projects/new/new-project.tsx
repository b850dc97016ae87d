'use client'

import { createProject } from '../../../../data/projects.ts'
import { ProjectForm } from '../../../../features/onboarding/project-form.tsx'
import { useNavigation } from '../../../../ui/navigation.tsx'

export function NewProject() {
  const { go, refresh } = useNavigation()
  return (
    <ProjectForm
      onSubmit={async (input) => {
        const answer = await createProject(input)
        if (!answer.isOk) return answer.detail
        go(`/projects/${answer.value.slug}/start`)
        refresh()
        return null
      }}
    />
  )
}
