import type { Metadata } from 'next'
import { requireSession } from '../../../../data/session.ts'
import { NewProject } from './new-project.tsx'

export const metadata: Metadata = { title: 'New project' }

export default async function NewProjectPage() {
  await requireSession('/projects/new')
  return <NewProject />
}
