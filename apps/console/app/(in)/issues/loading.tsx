import { Loading, SkeletonRows } from '../../../ui/skeleton.tsx'
import styles from './loading.module.css'

export default function IssuesLoading() {
  return (
    <>
      <Loading what="issues" />
      <div className={styles['head']} />
      <SkeletonRows rows={14} rowHeight={48} />
    </>
  )
}
