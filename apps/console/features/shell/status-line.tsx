'use client'

import type { ApiServerStatus } from '@afterimage/protocol/api/stats'
import { TriangleAlert } from 'lucide-react'
import { Link } from '../../ui/navigation.tsx'
import { statusWords } from './status-words.ts'
import styles from './status-line.module.css'

/** The operator's line at the foot of wide screens. Its parts that ask for action take colour. */
export function StatusLine(props: { readonly status: ApiServerStatus | null }) {
  const words = statusWords(props.status)
  return (
    <footer className={styles['line']} aria-label="The server">
      {words.facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {words.warnings.map((warning) => (
        <b key={warning}>
          <TriangleAlert size={12} aria-hidden />
          {warning}
        </b>
      ))}
      <Link href="/settings" className={styles['end']}>
        Afterimage, on this server
      </Link>
    </footer>
  )
}
