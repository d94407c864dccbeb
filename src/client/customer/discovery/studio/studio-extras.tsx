import { useLocation } from 'wouter'
import { pathInText } from '#platform/path-in-text.ts'
import { urls } from '#platform/urls.ts'
import { ScanCard } from '#ui/scanner/scan-card.tsx'
import { normaliseAccessCode } from './access-code-entry.ts'
import { ContinueLink } from './continue-link.tsx'

const notACardMessage = 'This code is not from a photo card. Try the square code on your card'

/** What a studio's page shows once it is idle: the scanner, and the link for returning customers. */
export const StudioExtras = ({ studioSlug }: { studioSlug: string }) => {
  const [, navigate] = useLocation()
  const openCard = (text: string): string | undefined => {
    const isCode = !text.includes('/') && normaliseAccessCode(text) !== ''
    const url = isCode ? urls.customerCode({ studioSlug, code: text }) : pathInText(text)
    if (!url) return notACardMessage
    navigate(url)
    return undefined
  }
  return (
    <>
      <ScanCard onRead={openCard} />
      <ContinueLink studioSlug={studioSlug} />
    </>
  )
}
