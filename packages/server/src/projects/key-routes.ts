import type { ApiProjectKey } from '@afterimage/protocol/api/organization'
import { changeKey, listKeys } from './keys.ts'
import { createProjectKey, dsnOf } from './projects.ts'
import { iso } from '../api/answer.ts'
import { flagField, readBody, textField } from '../api/body.ts'
import type { ApiContext, Routes } from '../api/context.ts'
import { projectOf } from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'

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
    if (body['rateLimit'] !== undefined && body['rateLimit'] !== null) {
      throw badRequest('rateLimit: a key has no limit of its own')
    }
    const label = textField(body, 'name', 100) ?? textField(body, 'label', 100)
    const key = { projectId: project.id, publicKey: c.req.param('key') }
    if (!(await changeKey(api.metadata, key, { isActive, label }))) throw notFound()
    const keys = await keysOf(api, project.id)
    return c.json(keys.find((key) => key.public === c.req.param('key')) ?? null)
  })
}

async function keysOf(api: ApiContext, projectId: number): Promise<readonly ApiProjectKey[]> {
  const rows = await listKeys(api.metadata, projectId)
  return rows.map((row) => ({
    id: row.public_key,
    name: row.label,
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
