import { State } from '../../../ui/state.tsx'
import styles from './panels.module.css'

/** A panel without rows: because there are none, or because the filter hides all. */
export function NoRows(props: { readonly isEmpty: boolean; readonly what: string }) {
  return (
    <div className={styles['noRows']}>
      {props.isEmpty ? (
        <State kind="empty" title={`${props.what}: none`}>
          The recording has none.
        </State>
      ) : (
        <State kind="nothing" title="Nothing matches">
          No row fits the search and the filter above.
        </State>
      )}
    </div>
  )
}
