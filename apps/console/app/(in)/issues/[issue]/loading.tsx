import { Bone, Loading } from '../../../../ui/skeleton.tsx'
import styles from './loading.module.css'

export default function IssueLoading() {
  return (
    <div className={styles['page']}>
      <Loading what="the issue" />
      <Bone width={160} />
      <Bone width="52%" height={30} />
      <Bone width="34%" />
      <Bone width="60%" height={14} />
      <Bone height={96} />
    </div>
  )
}
