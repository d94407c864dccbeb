import type { FastifyInstance } from 'fastify'
import { getHealth } from '../../contract/health.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'

/** Health is asked only of a server that listens, and it listens once everything is ready. `build` names what it serves. */
export const mountHealth = (app: FastifyInstance, deps: Deps, build: string): void => {
  mount(app, deps, getHealth, async () => ({ status: 'ok' as const, build }))
}
