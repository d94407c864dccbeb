import { useLocation } from 'wouter'
import { urls } from '#platform/urls.ts'
import { notACardMessage, ScanCard } from '#ui/scanner/scan-card.tsx'
import { normaliseAccessCode } from './access-code-entry.ts'

type StudioScannerProps = {
  studioSlug: string
  /** A card was read. */
  onScan: () => void
}

/** The scanner of a studio's page: a card with only the code is one of this studio. */
export const StudioScanner = ({ studioSlug, onScan }: StudioScannerProps) => {
  const [, navigate] = useLocation()
  const openCard = async (text: string): Promise<string | undefined> => {
    const isCode = !text.includes('/') && normaliseAccessCode(text) !== ''
    const url = isCode
      ? urls.customerCode({ studioSlug, code: text })
      : (await import('#platform/path-in-text.ts')).pathInText(text)
    if (!url) return notACardMessage
    onScan()
    navigate(url)
    return undefined
  }
  return <ScanCard onRead={openCard} />
}
