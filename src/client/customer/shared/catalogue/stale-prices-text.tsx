import { useEffect, useState } from 'react'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { useJobContext } from '../job/job-context.tsx'

/** When the server sent the cached packages; null if none are cached or the date is missing. */
const askedAt = async (address: string): Promise<Date | null> => {
  const cached = await (await caches.open(catalogueCache)).match(address, { ignoreVary: true })
  const date = cached?.headers.get('date')
  return date ? new Date(date) : null
}

const ageLabel = (date: Date, now: Date): string =>
  date.toDateString() === now.toDateString()
    ? date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })
    : date.toLocaleDateString('en-US', { month: 'long', day: 'numeric' })

/** How old the displayed prices are. */
export const StalePricesText = ({ className }: { className: string | undefined }) => {
  const { jobId, orderMethod } = useJobContext()
  const [date, setDate] = useState<Date | null>(null)
  const address = pathOf(listPackages, { jobId }, { orderMethod })
  useEffect(() => {
    let left = false
    if ('caches' in window) void askedAt(address).then((date) => left || setDate(date), console.warn)
    return () => {
      left = true
    }
  }, [address])
  if (!date) return null
  return <p className={className}>Prices checked {ageLabel(date, new Date())}</p>
}
