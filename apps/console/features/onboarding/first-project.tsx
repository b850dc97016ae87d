import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './onboarding.module.css'

/** Tells whether nobody has made a project yet; the console's own does not count. */
export function isUntouched(projects: readonly { readonly slug: string }[]): boolean {
  return projects.every(({ slug }) => slug === selfProjectSlug)
}

/** Explains projects on a server without any, and links to creating the first. */
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
