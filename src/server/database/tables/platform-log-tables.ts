import type { ReportFileRequest } from '#contract/system/report-files.ts'
import type { AnyJson, Generated, Json, Moment } from './columns.ts'

export interface PlatformLogsTables {
  mail_log: MailLog
  tax_log: TaxLog
  processing_log: ProcessingLog
  order_errors: OrderErrors
  payment_events: PaymentEvents
  audit_log: AuditLog
  audit_chain: AuditChain
  report_files: ReportFiles
}

type MailLog = {
  id: Generated<number>
  studio_id: number | null
  /** The order that the email is about. */
  order_id: number | null
  kind: string
  to_name: Generated<string>
  to_email: string
  subject: string
  body_text: string
  body_html: string | null
  has_secrets: Generated<boolean>
  state: Generated<'waiting' | 'kept' | 'sent' | 'failed'>
  attempts: Generated<number>
  provider_reference: string | null
  error: string | null
  created_at: Generated<Moment>
  sent_at: Moment | null
}

type TaxLog = {
  id: Generated<number>
  studio_id: number | null
  order_number: string | null
  checkout_id: string | null
  /** The failed entry that this request repeats. */
  repeats_id: number | null
  request: Json<AnyJson>
  answer: Json<AnyJson | null>
  status: number | null
  error: string | null
  duration_ms: number | null
  created_at: Generated<Moment>
}

type ProcessingLog = {
  id: Generated<number>
  studio_id: number
  job_id: number | null
  image_id: number | null
  file_name: string
  step: string
  state: 'started' | 'done' | 'refused' | 'failed'
  message: string | null
  duration_ms: number | null
  created_at: Generated<Moment>
}

type OrderErrors = {
  id: Generated<number>
  studio_id: number
  job_id: number | null
  order_number: string | null
  stage: string
  message: string
  detail: Json<AnyJson | null>
  created_at: Generated<Moment>
  resolved_at: Moment | null
  resolved_by: number | null
  resolution: string | null
}

type PaymentEvents = {
  provider: string
  event_id: string
  studio_id: number | null
  kind: string
  body: Json<AnyJson>
  received_at: Generated<Moment>
  handled_at: Moment | null
}

type AuditLog = {
  id: Generated<number>
  studio_id: number | null
  user_id: number | null
  session_id: number | null
  consented_by: number | null
  action: string
  entity: string
  entity_id: string | null
  detail: Json<AnyJson | null>
  request_id: string | null
  address: string | null
  created_at: Generated<Moment>
  position: number | null
  previous_hash: string | null
  hash: string | null
}

type AuditChain = {
  id: Generated<boolean>
  first_position: Generated<number>
  first_previous_hash: Generated<string>
  last_position: Generated<number>
  last_hash: Generated<string>
}

type ReportFiles = {
  id: Generated<number>
  studio_id: number | null
  report: string
  request: Json<ReportFileRequest>
  file_name: string
  state: Generated<'waiting' | 'making' | 'ready' | 'failed'>
  rows_total: Generated<number>
  rows_done: Generated<number>
  file_key: string | null
  byte_size: number | null
  error: string | null
  made_by: number | null
  created_at: Moment
  updated_at: Moment
  expires_at: Moment | null
}
