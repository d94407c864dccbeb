import { useLocation } from 'wouter'
import { pathInText } from '#platform/path-in-text.ts'
import { ScanCard } from '#ui/scanner/scan-card.tsx'
import { findByText } from './find-by-text.ts'
import { RecentEvents } from './recent-events.tsx'

const notACardMessage = 'This code is not from a photo card. Try the square code on your card'

/** What the home page shows once it is idle: the scanner, and the events of this device. */
export const HomeExtras = () => {
  const [, navigate] = useLocation()
  const openCard = async (text: string) => {
    // A code of another product usually contains a link, which is not sent to the server.
    if (text.includes('/') && !pathInText(text)) return notACardMessage
    const { url, choices, error } = await findByText(text)
    const target = url ?? choices?.[0]?.url
    if (target) navigate(target)
    return error
  }
  return (
    <>
      <ScanCard onRead={openCard} />
      <RecentEvents />
    </>
  )
}
