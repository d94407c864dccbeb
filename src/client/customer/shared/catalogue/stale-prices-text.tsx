import { useEffect, useState } from 'react'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { useJobContext } from '../job/job-context.tsx'

/** When the server sent the cached packages; null if none are cached or the date is missing. */
const readFetchTime = async (url: string): Promise<Date | null> => {
  const cached = await (await caches.open(catalogueCache)).match(url, { ignoreVary: true })
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
  const url = pathOf(listPackages, { jobId }, { orderMethod })
  useEffect(() => {
    let isUnmounted = false
    if ('caches' in window) void readFetchTime(url).then((date) => isUnmounted || setDate(date), console.warn)
    return () => {
      isUnmounted = true
    }
  }, [url])
  if (!date) return null
  return <p className={className}>Prices checked {ageLabel(date, new Date())}</p>
}
