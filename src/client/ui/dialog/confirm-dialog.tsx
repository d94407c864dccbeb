import { Button } from '../button/button.tsx'
import { type ConfirmPrompt, confirmDefaults } from './confirm.ts'
import { Dialog } from './dialog.tsx'

/** One prompt of `confirm()`. Enter triggers the main button, unless that is destructive. */
export const ConfirmDialog = ({ request, open, answer }: ConfirmPrompt) => {
  const { title, message, type, cancelText, confirmText, danger } = { ...confirmDefaults, ...request }
  const focusesCancel = danger === true && type === 'confirm'
  return (
    <Dialog
      open={open}
      onClose={() => answer(false)}
      title={title}
      description={message}
      size="small"
      role="alertdialog"
      actions={
        <>
          {type === 'confirm' && (
            <Button variant="secondary" data-first-focus={focusesCancel || undefined} onClick={() => answer(false)}>
              {cancelText}
            </Button>
          )}
          <Button
            variant={danger ? 'danger' : 'primary'}
            data-first-focus={!focusesCancel || undefined}
            onClick={() => answer(true)}
          >
            {confirmText}
          </Button>
        </>
      }
    />
  )
}
