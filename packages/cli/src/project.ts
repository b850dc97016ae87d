import { parseArgs } from 'node:util'
import { readConfig } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { createProject, listProjects } from '@afterimage/server/projects/projects'
import { openMetadata } from '@afterimage/server/storage/open'
import { UsageError } from './usage-error.ts'

/** Runs `project create <slug>` or `project list` on the data directory, with the server up or down. */
export async function project(rest: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      platform: { type: 'string' },
      id: { type: 'string' },
      key: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
    },
  })
  const [verb, slug] = positionals
  const config = readConfig(readEnv(process.env), process.cwd())
  const metadata = await openMetadata(config)
  try {
    if (verb === 'create' && slug !== undefined) {
      const created = await createProject(metadata, config, {
        slug,
        name: values.name ?? slug,
        platform: values.platform ?? null,
        ...(values.id === undefined ? {} : { id: projectId(values.id) }),
        ...(values.key === undefined ? {} : { keys: values.key }),
      })
      console.log(values.json ? JSON.stringify(created) : `Created ${created.slug}: ${created.dsn}`)
    } else if (verb === 'list') {
      const projects = await listProjects(metadata, config)
      if (values.json) console.log(JSON.stringify(projects))
      else for (const it of projects) console.log(`${it.id}\t${it.slug}\t${it.dsn}`)
    } else {
      throw new UsageError('project: give "create <slug>" or "list"')
    }
  } finally {
    await metadata.close()
  }
}

function projectId(text: string): number {
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) {
    throw new UsageError(`--id: "${text}" is not a positive whole number`)
  }
  return id
}
