import {
  clientListMax,
  clientLists,
  clientRates,
  clientTextCharactersMax,
  isRate,
  type ClientSettings,
} from '@afterimage/protocol/client-settings'
import { flagField, readBody, type Body } from '../api/body.ts'
import type { Routes } from '../api/context.ts'
import { projectOf } from '../api/parameters.ts'
import { badRequest } from '../api/problem.ts'
import { findClientSettings, saveClientSettings } from './client-settings.ts'

/** The settings that clients of a project ask for. `PUT` replaces all of them. */
export const clientSettingsRoutes: Routes = (app, api) => {
  app.get('/projects/:org/:project/client-settings/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    return c.json(await findClientSettings(api.metadata, project.id))
  })

  app.put('/projects/:org/:project/client-settings/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const settings = settingsOf(await readBody(c))
    await saveClientSettings(api.metadata, project.id, settings)
    return c.json(settings)
  })
}

const names: readonly string[] = ['enabled', ...clientRates, ...clientLists]

function settingsOf(body: Body): ClientSettings {
  // A misspelt setting would seem to be in force.
  const unknown = Object.keys(body).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw badRequest(`${unknown.slice(0, 40)}: must be one of ${names.join(', ')}`)
  }
  const rates = clientRates.map((name) => [name, rateField(body, name)])
  const lists = clientLists.map((name) => [name, listField(body, name)])
  return {
    ...(flagField(body, 'enabled') === false && { enabled: false }),
    ...Object.fromEntries([...rates, ...lists].filter(([, value]) => value !== undefined)),
  }
}

function rateField(body: Body, field: string): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (isRate(value)) return value
  throw badRequest(`${field}: must be a number from 0 to 1`)
}

function listField(body: Body, field: string): readonly string[] | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.length > clientListMax) {
    throw badRequest(`${field}: must be a list of at most ${clientListMax} texts`)
  }
  const texts = value.map((text) => (typeof text === 'string' ? text.trim() : ''))
  if (texts.some((text) => text === '' || text.length > clientTextCharactersMax)) {
    throw badRequest(`${field}: each must be a text of 1 to ${clientTextCharactersMax} characters`)
  }
  return texts.length === 0 ? undefined : texts
}
