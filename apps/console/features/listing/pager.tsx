import { ChevronLeft, ChevronRight } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { listHref, type ListFilter } from './list-filter.ts'
import styles from './listing.module.css'

/** Links to the pages before and after this one; nothing when this is the only one. */
export function Pager(props: {
  readonly path: string
  readonly filter: ListFilter
  readonly next: string | null
  readonly previous: string | null
}) {
  const { path, filter, next, previous } = props
  if (next === null && previous === null) return null
  return (
    <nav className={styles['pager']} aria-label="Pages of the list">
      {previous === null ? null : (
        <ButtonLink href={listHref(path, filter, { cursor: previous })}>
          <ChevronLeft size={14} aria-hidden /> Newer
        </ButtonLink>
      )}
      {next === null ? null : (
        <ButtonLink href={listHref(path, filter, { cursor: next })}>
          Older <ChevronRight size={14} aria-hidden />
        </ButtonLink>
      )}
    </nav>
  )
}
