import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { getHealth } from '#contract/system/health.ts'
import { minFreeBytes } from '../database/disk-full.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'

type HealthSources = { build: string; inMaintenance: () => Promise<boolean> }

/**
 * Health is asked only of a server that listens, and it listens once everything is ready; one whose database has gone, or whose disk is full, is not well,
 * and whoever watches it starts it anew. `build` names what it serves.
 */
export const mountHealth = (app: FastifyInstance, deps: Deps, { build, inMaintenance }: HealthSources): void => {
  mount(app, deps, getHealth, async () => {
    if ((await deps.freeBytes()) < minFreeBytes) return problem('unexpected', 'The disk is full: nothing can be saved')
    await sql`select 1`.execute(deps.db)
    const maintenance = await inMaintenance()
    return { status: 'ok' as const, build, ...(maintenance && { maintenance }) }
  })
}
