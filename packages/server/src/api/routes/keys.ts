import type { ApiProjectKey } from '@afterimage/protocol/api/organization'
import { createProjectKey, dsnOf } from '../../projects.ts'
import { iso } from '../answer.ts'
import { flagField, readBody, textField } from '../body.ts'
import type { ApiContext, Routes } from '../context.ts'
import { projectOf } from '../parameters.ts'
import { notFound } from '../problem.ts'

/** The keys of a project, and the addresses that SDKs are given. */
export const keyRoutes: Routes = (app, api) => {
  app.get('/projects/:org/:project/keys/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    return c.json(await keysOf(api, project.id))
  })

  app.post('/projects/:org/:project/keys/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const body = await readBody(c)
    const label = textField(body, 'name', 100) ?? textField(body, 'label', 100) ?? 'Key'
    const publicKey = await createProjectKey(api.metadata, { projectId: project.id, label })
    const keys = await keysOf(api, project.id)
    return c.json(keys.find((key) => key.public === publicKey) ?? null, 201)
  })

  app.put('/projects/:org/:project/keys/:key/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const body = await readBody(c)
    const isActive = flagField(body, 'isActive')
    const label = textField(body, 'name', 100) ?? textField(body, 'label', 100)
    const changed = await api.metadata.all(
      `update project_keys set is_active = coalesce(?, is_active), label = coalesce(?, label)
       where project_id = ? and public_key = ? returning public_key`,
      isActive === undefined ? null : Number(isActive),
      label ?? null,
      project.id,
      c.req.param('key'),
    )
    if (changed.length === 0) throw notFound()
    const keys = await keysOf(api, project.id)
    return c.json(keys.find((key) => key.public === c.req.param('key')) ?? null)
  })
}

async function keysOf(api: ApiContext, projectId: number): Promise<readonly ApiProjectKey[]> {
  const rows = await api.metadata.all<{
    public_key: string
    label: string
    is_active: number
    created_at: number
  }>(
    `select public_key, label, is_active, created_at from project_keys
     where project_id = ? order by created_at, public_key`,
    projectId,
  )
  return rows.map((row) => ({
    id: row.public_key,
    label: row.label,
    public: row.public_key,
    isActive: row.is_active === 1,
    dateCreated: iso(row.created_at),
    dsn: {
      public: dsnOf({ ...api.config, publicKey: row.public_key, projectId }),
      tunnel: `${api.config.tunnelPath}?o=1&p=${projectId}`,
    },
  }))
}
