import { lazy, Suspense, useState } from 'react'
import { isFramed } from '#domain/catalogue/catalogue.ts'
import { scenesOf } from '#domain/printing/print-scenes.ts'
import { Button } from '#ui/button/button.tsx'
import { type PrintedItem, pilesOf } from '#ui/print/package-prints.tsx'

const ScenesDialog = lazy(async () => ({ default: (await import('./scenes-dialog.tsx')).ScenesDialog }))

/** Opens the prints in scenes; absent if nothing is printed. Equal prints are shown once. */
export const ScenesButton = ({ items }: { items: readonly PrintedItem[] }) => {
  const [isOpen, setIsOpen] = useState(false)
  const prints = pilesOf(items)
  const scenes = scenesOf(prints.map(({ item }) => ({ ...item, hasFrame: isFramed(item) })))
  if (scenes.length === 0) return null
  return (
    <div>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        See it in a room
      </Button>
      {isOpen && (
        <Suspense>
          <ScenesDialog scenes={scenes} prints={prints} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
