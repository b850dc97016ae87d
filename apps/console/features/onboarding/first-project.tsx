import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './onboarding.module.css'

/** Nobody has made a project yet: the console's own is no project of anybody's. */
export function isUntouched(projects: readonly { readonly slug: string }[]): boolean {
  return projects.every(({ slug }) => slug === selfProjectSlug)
}

/** What a server shows that has no project: what one is, and the way to the first. */
export function FirstProject() {
  return (
    <section className={styles['first']}>
      <p className={styles['kicker']}>Nothing reports to this server yet</p>
      <h1 className={styles['poster']}>Begin with a project.</h1>
      <p className={styles['standfirst']}>
        One per application. It has an address; a client that knows the address sends errors,
        replays and traces to it, and they appear here.
      </p>
      <ButtonLink look="ink" size="tall" href="/projects/new">
        Create the first project
      </ButtonLink>
    </section>
  )
}
