import { State } from '../../../ui/state.tsx'
import styles from './panels.module.css'

/** Explains a panel without rows: the recording has none, or the filter hides them all. */
export function NoRows(props: { readonly isEmpty: boolean; readonly what: string }) {
  return (
    <div className={styles['noRows']}>
      {props.isEmpty ? (
        <State kind="empty" title={`${props.what}: none`}>
          The recording has none.
        </State>
      ) : (
        <State kind="nothing" title="Nothing matches">
          No row matches the search and the filter above.
        </State>
      )}
    </div>
  )
}
