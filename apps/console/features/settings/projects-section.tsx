'use client'

import type { ApiProject, ApiProjectKey } from '@afterimage/protocol/api/organization'
import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { Plus } from 'lucide-react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import styles from './settings.module.css'

export interface ProjectWithKeys {
  readonly project: ApiProject
  readonly keys: readonly ApiProjectKey[]
}

/** Projects, their addresses, and the switches of their keys. */
export function ProjectsSection(props: {
  readonly projects: readonly ProjectWithKeys[]
  readonly onAddKey: (slug: string) => void
  readonly onKeyActive: (slug: string, key: string, isActive: boolean) => void
}) {
  return (
    <div className={styles['section']}>
      <Section
        id="projects"
        title="Projects and keys"
        tools={
          <ButtonLink look="bare" href="/projects/new">
            <Plus size={14} aria-hidden />
            New project
          </ButtonLink>
        }
      >
        {props.projects.every(({ project }) => project.slug === selfProjectSlug) ? (
          <State
            kind="empty"
            title="No project yet"
            action={<ButtonLink href="/projects/new">Create one</ButtonLink>}
          >
            A project has the address that a client reports to.
          </State>
        ) : null}
        {props.projects.map(({ project, keys }) => (
          <article key={project.id} className={styles['project']}>
            <header>
              <h3>{project.name}</h3>
              <span className={styles['muted']}>
                {project.slug === project.name ? '' : `${project.slug}, `}id {project.id}
                {project.firstEvent === null ? ', no events yet' : ''}
              </span>
              <ProjectTools slug={project.slug} onAddKey={props.onAddKey} />
            </header>
            <ul>
              {keys.map((key) => (
                <li key={key.id} className={styles['key']} data-active={key.isActive}>
                  <span className={styles['muted']}>{key.label}</span>
                  <code title={key.dsn.public}>{key.dsn.public}</code>
                  <span className={styles['end']}>
                    <CopyButton look="bare" text={key.dsn.public}>
                      Copy
                    </CopyButton>
                    <Button
                      look="bare"
                      onClick={() => props.onKeyActive(project.slug, key.public, !key.isActive)}
                    >
                      {key.isActive ? 'Pause' : 'Resume'}
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          </article>
        ))}
      </Section>
    </div>
  )
}

/** The pages of a project, and one more key. */
function ProjectTools(props: { readonly slug: string; readonly onAddKey: (slug: string) => void }) {
  return (
    <span className={styles['end']}>
      <Button look="bare" onClick={() => props.onAddKey(props.slug)}>
        <Plus size={14} aria-hidden />
        Add a key
      </Button>
      <ButtonLink look="bare" href={`/projects/${props.slug}/client-settings`}>
        Client settings
      </ButtonLink>
      <ButtonLink look="bare" href={`/projects/${props.slug}/source-maps`}>
        Source maps
      </ButtonLink>
      <ButtonLink href={`/projects/${props.slug}/start`}>Set up</ButtonLink>
    </span>
  )
}
