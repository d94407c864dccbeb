import pg from 'pg'
import { quantile } from '#support/measurement/quantile.ts'
import { addCharges, signIn } from './report-export-rate.ts'
import { measureReads } from './timed-reads.ts'

const readCount = 300

/** The 95th percentile in milliseconds of reading what a studio earned, with a ledger of this many rows. */
export const measureSummary = async (
  url: string,
  { databaseUrl, rows }: { databaseUrl: string; rows: number },
): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await addCharges(client, rows)
  } finally {
    await client.end()
  }
  const headers = { authorization: `Bearer ${await signIn(url)}` }
  const address = `${url}/api/studioadmin/studios/1/reports/payments/summary`
  const response = await fetch(address, { headers })
  const { data } = (await response.json()) as { data: { total: { earnedCents: number } } }
  if (data.total.earnedCents !== rows * 3800) throw new Error(`the summary has ${data.total.earnedCents} cents`)
  return quantile(await measureReads({ urls: Array(readCount).fill(address), headers, concurrency: 1 }), 0.95)
}
