import type { AnyJson, Generated, Json, Moment } from './columns.ts'

export interface BackgroundWorkTables {
  order_error_decisions: OrderErrorDecisions
  paused_studios: PausedStudios
  parked_background_jobs: ParkedBackgroundJobs
  running_background_jobs: RunningBackgroundJobs
}

type OrderErrorDecisions = {
  kind: string
  entry_id: string
  studio_id: number | null
  decision: 'ignored' | 'retried'
  reason: string
  decided_by: number | null
  decided_at: Moment
}

type PausedStudios = {
  studio_id: number
  reason: string
  paused_by: number | null
  paused_at: Moment
}

type ParkedBackgroundJobs = {
  studio_id: number
  id: Generated<number>
  queue: string
  payload: Json<AnyJson>
  parked_at: Moment
}

type RunningBackgroundJobs = {
  id: string
  server: string
  queue: string
  studio_id: number
  payload: Json<AnyJson>
  started_at: Moment
}
