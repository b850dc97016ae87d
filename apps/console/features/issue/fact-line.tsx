import { Link } from '../../ui/navigation.tsx'
import type { Fact } from './facts.ts'
import styles from './fact-line.module.css'

/** Draws the facts of one event in a line. */
export function FactLine(props: { readonly facts: readonly Fact[] }) {
  if (props.facts.length === 0) return null
  return (
    <dl className={styles['facts']} data-few={props.facts.length < 5}>
      {props.facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd title={fact.value}>
            {fact.href === undefined ? fact.value : <Link href={fact.href}>{fact.value}</Link>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
