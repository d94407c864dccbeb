import type { FastifyInstance } from 'fastify'
import { listStudios } from '#contract/system/studios.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { readStudios } from './list-studios.ts'

/** Mounts the routes for administrators of the platform (section 2, system admin). */
export const mountPlatform = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, listStudios, ({ query }) => readStudios(deps.db, query))
}
