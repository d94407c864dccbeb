import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import styles from './log-facts.module.css'

/** A value as readable text: JSON for what is not a text. */
export const formatValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** The names and values of a log entry. Values that are null are left out. */
export const LogFacts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles.facts}>
    {Object.entries(facts).map(
      ([name, value]) =>
        value !== null && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)

type LogEntry = { studioId: number | null; jobId: number | null; orderNumber: string | null }

/** A link to the order of a log entry, or a dash. */
export const LogOrderLink = ({ entry: { studioId, jobId, orderNumber } }: { entry: LogEntry }) =>
  studioId === null || jobId === null || orderNumber === null ? (
    '–'
  ) : (
    <Link href={orderUrl({ studioId, jobId }, orderNumber)}>{orderNumber}</Link>
  )
