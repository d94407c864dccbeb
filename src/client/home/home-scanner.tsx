import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { notACardMessage, ScanCard } from '#ui/scanner/scan-card.tsx'
import type { FoundChoice } from './find-by-text.ts'

const FoundChoices = lazy(async () => ({ default: (await import('./found-choices.tsx')).FoundChoices }))

/** The scanner of the home page. The search, with the API client, loads once a card was read. */
export const HomeScanner = () => {
  const [choices, setChoices] = useState<readonly FoundChoice[]>()
  const [, navigate] = useLocation()
  const openCard = async (text: string) => {
    setChoices(undefined)
    const { findByText, isForeignLink } = await import('./find-by-text.ts')
    // A code of another product usually contains a link, which is not sent to the server.
    if (isForeignLink(text)) return notACardMessage
    const result = await findByText(text)
    if (result.url) navigate(result.url)
    setChoices(result.choices)
    return result.error
  }
  return (
    <>
      <ScanCard onRead={openCard} />
      {choices && (
        <Suspense>
          <FoundChoices choices={choices} />
        </Suspense>
      )}
    </>
  )
}
