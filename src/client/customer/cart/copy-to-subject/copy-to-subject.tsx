import Copy from 'lucide-react/icons/copy'
import { lazy, Suspense, useState } from 'react'
import { lineName } from '#client/customer/shared/cart/line-texts.ts'
import { isStandard } from '#domain/cart/add-ons.ts'
import type { LineView } from '#local/store/cart-view.ts'
import type { CustomerRoute } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'

const CopyToSubjectDialog = lazy(async () => ({
  default: (await import('./copy-to-subject-dialog.tsx')).CopyToSubjectDialog,
}))

type CopyToSubjectProps = {
  route: CustomerRoute
  view: LineView
  /** The subject's add-ons: they are copied together with a standard package. */
  addOns: readonly LineView[]
  /** The subject's id in URLs; null if none is known. */
  subjectNumber: number | null
  /** Ids of every subject this device knows in the job. */
  knownSubjectIds: readonly number[]
}

/** The button and dialog that copy a package to another subject; renders nothing if there is no other subject. */
export const CopyToSubject = ({ route, view, addOns, subjectNumber, knownSubjectIds }: CopyToSubjectProps) => {
  const [dialogState, setDialogState] = useState<'never' | 'open' | 'closed'>('never')
  const { line } = view
  const otherSubjectIds = knownSubjectIds.filter((number) => number !== subjectNumber)
  if (otherSubjectIds.length === 0) return null
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        icon={Copy}
        aria-label={`Copy for …: ${lineName(line)}`}
        onClick={() => setDialogState('open')}
      >
        Copy for …
      </Button>
      {dialogState !== 'never' && (
        <Suspense>
          <CopyToSubjectDialog
            {...{ route, otherSubjectIds }}
            lineView={view}
            addOns={isStandard(line) ? addOns : []}
            open={dialogState === 'open'}
            onClose={() => setDialogState('closed')}
          />
        </Suspense>
      )}
    </>
  )
}
