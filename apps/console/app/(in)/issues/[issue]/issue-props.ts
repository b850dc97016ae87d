import type { ApiIssue } from '@afterimage/protocol/api'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { loadIssue } from '../../../../data/issue.ts'

/** The parameters of every page of an issue. */
export interface IssueProps {
  readonly params: Promise<{ issue: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Names the tab of a page of an issue. The page is a 404 when there is no such issue. */
export async function issueMetadata(
  { params }: IssueProps,
  otherwise: string,
  titleOf: (issue: ApiIssue) => string,
): Promise<Metadata> {
  const issue = await loadIssue((await params).issue)
  if (!issue.isOk && issue.status === 404) notFound()
  return { title: issue.isOk ? titleOf(issue.value) : otherwise }
}
