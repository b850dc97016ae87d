'use client'

import type { ApiIssueDetail } from '@afterimage/protocol/api'
import { ChevronRight } from 'lucide-react'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Link } from '../../../../ui/navigation.tsx'
import styles from './crumbs.module.css'

/** Leads back to the list that the reader came from. */
export function Crumbs(props: {
  readonly issue: ApiIssueDetail
  readonly listHref: string
  readonly last?: string
}) {
  const { issue } = props
  return (
    <nav className={styles['crumbs']} aria-label="Breadcrumb">
      <Link href={props.listHref}>Issues</Link>
      <ChevronRight size={12} aria-hidden />
      <Link className={styles['project'] ?? ''} href={`/issues?project=${issue.project.slug}`}>
        {issue.project.name}
      </Link>
      <ChevronRight size={12} aria-hidden />
      {props.last === undefined ? (
        <code>{issue.shortId}</code>
      ) : (
        <>
          <Link href={`/issues/${issue.id}`}>
            <code>{issue.shortId}</code>
          </Link>
          <ChevronRight size={12} aria-hidden />
          {props.last}
        </>
      )}
      <CopyButton
        look="bare"
        isIcon
        label="Copy the id"
        text={issue.shortId}
        className={styles['copy'] ?? ''}
      />
    </nav>
  )
}
