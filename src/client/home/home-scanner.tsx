import { useLocation } from 'wouter'
import { notACardMessage, ScanCard } from '#ui/scanner/scan-card.tsx'

/** The scanner of the home page. The search, with the API client, loads once a card was read. */
export const HomeScanner = () => {
  const [, navigate] = useLocation()
  const openCard = async (text: string) => {
    const { findByText, isForeignLink } = await import('./find-by-text.ts')
    // A code of another product usually contains a link, which is not sent to the server.
    if (isForeignLink(text)) return notACardMessage
    const { url, choices, error } = await findByText(text)
    const target = url ?? choices?.[0]?.url
    if (target) navigate(target)
    return error
  }
  return <ScanCard onRead={openCard} />
}
