import { Button } from './button.tsx'
import { confirmDefaults, type ShownConfirm } from './confirm.ts'
import { Dialog } from './dialog.tsx'

/** One prompt of `confirm()`. */
export const ConfirmDialog = ({ request, open, answer }: ShownConfirm) => {
  const { title, message, type, cancelText, confirmText, danger } = { ...confirmDefaults, ...request }
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
            <Button variant="secondary" onClick={() => answer(false)}>
              {cancelText}
            </Button>
          )}
          <Button variant={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {confirmText}
          </Button>
        </>
      }
    />
  )
}
