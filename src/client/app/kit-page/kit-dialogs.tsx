import Archive from 'lucide-react/icons/archive'
import Download from 'lucide-react/icons/download'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { type DialogSize, dialogSizes } from '#ui/dialog/dialog.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { Tooltip } from '#ui/popover/tooltip.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { KitRow, KitSection } from './kit-buttons.tsx'
import styles from './kit-page.module.css'

const Dialog = lazy(async () => ({ default: (await import('#ui/dialog/dialog.tsx')).Dialog }))

/** Dialogs, menus, tooltips and toasts. */
export const Floating = () => (
  <KitSection title="Dialogs, menus and toasts">
    <Dialogs />
    <Confirmations />
    <Menus />
    <Toasts />
  </KitSection>
)

const Dialogs = () => {
  const [size, setSize] = useState<DialogSize>()
  const [closable, setClosable] = useState(true)
  const [displayedSize, setDisplayedSize] = useState<DialogSize>('medium')
  const openDialog = (next: DialogSize, canClose = true) => {
    setDisplayedSize(next)
    setSize(next)
    setClosable(canClose)
  }
  return (
    <>
      <KitRow>
        {dialogSizes.map((dialogSize) => (
          <Button key={dialogSize} variant="secondary" onClick={() => openDialog(dialogSize)}>
            Dialog {dialogSize}
          </Button>
        ))}
        <Button variant="secondary" onClick={() => openDialog('small', false)}>
          Can’t be closed
        </Button>
      </KitRow>
      <Suspense>
        <Dialog
          open={size !== undefined}
          onClose={() => setSize(undefined)}
          size={displayedSize}
          closable={closable}
          title="Choose a background"
          description="You see it exactly as it will be printed."
          actions={
            <>
              <Button variant="secondary" onClick={() => setSize(undefined)}>
                Cancel
              </Button>
              <Button onClick={() => setSize(undefined)}>Use this one</Button>
            </>
          }
        >
          <div className={styles.photos}>
            {['meadow', 'library', 'studio grey', 'brick'].map((name) => (
              <div key={name} className={styles.photo} title={name} />
            ))}
          </div>
        </Dialog>
      </Suspense>
    </>
  )
}

const Confirmations = () => {
  const [answer, setAnswer] = useState('')
  const showConfirm = async () => {
    const isConfirmed = await confirm({
      title: 'Remove Portrait Package?',
      message: 'The photo stays where it is.',
      danger: true,
    })
    setAnswer(isConfirmed ? 'Answered: yes' : 'Answered: no')
  }
  return (
    <KitRow>
      <Button variant="secondary" onClick={showConfirm}>
        Ask
      </Button>
      <Button
        variant="secondary"
        onClick={() =>
          confirm({ type: 'alert', title: 'Your code has expired', message: 'Ask the studio for a new one.' })
        }
      >
        Tell
      </Button>
      <span>{answer}</span>
    </KitRow>
  )
}

const Menus = () => (
  <KitRow>
    <Menu
      label="More actions"
      variant="secondary"
      items={[
        { label: 'Rename', icon: Pencil },
        { label: 'Download', icon: Download, href: '/kit' },
        { label: 'Archive', icon: Archive, disabled: true },
        'separator',
        { label: 'Delete', icon: Trash, danger: true },
      ]}
    />
    <Menu
      label="Actions for Ada Lovelace"
      icon={Ellipsis}
      items={[{ label: 'Edit' }, { label: 'Print camera card' }]}
    />
    <Tooltip text="Turns the photo a quarter to the right">
      <Button variant="secondary">Hover or focus me</Button>
    </Tooltip>
  </KitRow>
)

const Toasts = () => (
  <KitRow>
    <Button variant="secondary" onClick={() => toast('Saved on this phone')}>
      Toast
    </Button>
    <Button variant="secondary" onClick={() => toast('Sent to Riverside Portraits', 'success')}>
      Success
    </Button>
    <Button variant="secondary" onClick={() => toastError(['Could not find this order'])}>
      One error
    </Button>
    <Button variant="secondary" onClick={() => toastError(['The name is taken', 'The date is in the past'])}>
      Two errors
    </Button>
  </KitRow>
)
