import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readForeignKeys, readIndexes, readPrimaryKeys } from './catalog.ts'

/** Tables of the platform, outside any studio. Every other table can be partitioned by its `studio_id`. */
const platformTables = new Set([
  ...['studios', 'studio_slugs', 'studio_hosts', 'job_links', 'order_links', 'download_links', 'grant_links'],
  ...['users', 'user_preferences', 'refresh_tokens', 'password_resets', 'invitations', 'customer_sessions'],
  ...['api_tokens', 'totp_secrets', 'recovery_codes', 'passkeys', 'spent_tokens'],
  ...['session_keys', 'hand_overs', 'guess_counters', 'idempotency_keys', 'settings'],
  ...['products', 'tags', 'product_tags', 'shipping_options', 'order_services', 'watermarks', 'defined_fields'],
  ...['features', 'workflows', 'tax_rates'],
  // Its studio 0 means every studio.
  'job_changes',
  ...[
    'mail_log',
    'tax_log',
    'processing_log',
    'order_errors',
    'payment_events',
    'audit_log',
    'audit_chain',
    'report_files',
    'order_error_decisions',
    'running_background_jobs',
  ],
])

const isStudioTable = ({ table }: { table: string }): boolean => !platformTables.has(table)

describe.each(enginesFor(import.meta.filename))('keys on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the list of platform tables names only existing tables', async () => {
    const tables = (await readPrimaryKeys(database().db)).map((key) => key.table)
    expect([...platformTables].filter((table) => !tables.includes(table))).toEqual([])
  })

  it('every table has a primary key', async () => {
    expect((await readPrimaryKeys(database().db)).filter((key) => key.columns.length === 0)).toEqual([])
  })

  it('each primary key of a studio’s table begins with the studio', async () => {
    const keys = (await readPrimaryKeys(database().db)).filter(isStudioTable)
    expect(keys.length).toBeGreaterThan(40)
    expect(keys.filter((key) => key.columns[0] !== 'studio_id')).toEqual([])
  })

  it('each foreign key between a studio’s tables begins with the studio, on both sides', async () => {
    const keys = (await readForeignKeys(database().db)).filter(
      (key) => isStudioTable(key) && !platformTables.has(key.target),
    )
    expect(keys.length).toBeGreaterThan(60)
    expect(keys.filter((key) => key.columns[0] !== 'studio_id' || key.targetColumns[0] !== 'studio_id')).toEqual([])
  })

  it('every studio’s table references its studio, directly or through another of its tables', async () => {
    const keys = (await readForeignKeys(database().db)).filter(isStudioTable)
    const tables = (await readPrimaryKeys(database().db)).filter(isStudioTable).map((key) => key.table)
    const referencing = new Set(keys.filter((key) => key.columns[0] === 'studio_id').map((key) => key.table))
    expect(tables.filter((table) => !referencing.has(table))).toEqual([])
  })

  it('no platform table references a studio’s table', async () => {
    const keys = await readForeignKeys(database().db)
    expect(keys.filter((key) => platformTables.has(key.table) && !platformTables.has(key.target))).toEqual([])
  })

  it('every foreign key has an index with the same first columns, so that a delete never scans a table', async () => {
    const { db } = database()
    const indexes = await readIndexes(db)
    // Two columns suffice, because studio and parent together select only a few rows.
    const beginsWith = (index: string[], columns: string[]): boolean =>
      columns.slice(0, 2).every((column, position) => index[position] === column)
    const missing = (await readForeignKeys(db)).filter(
      (key) => !indexes.some((index) => index.table === key.table && beginsWith(index.columns, key.columns)),
    )
    expect(missing.map((key) => `${key.table} (${key.columns})`)).toEqual([])
  })

  it('an index covers orders that wait for images, so that they are found without a scan', async () => {
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where tablename = 'orders' and indexdef like '%(studio_id, id) WHERE awaits_poses'`.execute(
      database().db,
    )
    expect(rows).toHaveLength(1)
  })

  it('indexes cover a job’s orders in the order of its lists', async () => {
    const { rows } = await sql<{ columns: string }>`
      select substring(indexdef from '\\((.*)\\)') as columns from pg_indexes where indexname like 'orders_listed%' order by 1`.execute(
      database().db,
    )
    expect(rows.map(({ columns }) => columns)).toEqual([
      'studio_id, job_id, order_method, placed_at DESC NULLS LAST, id DESC',
      'studio_id, job_id, placed_at DESC NULLS LAST, id DESC) INCLUDE (sought_key',
    ])
  })
})
