import ScanQrCode from 'lucide-react/icons/scan-qr-code'
import Search from 'lucide-react/icons/search'
import UserPlus from 'lucide-react/icons/user-plus'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Scanner } from '#ui/scanner/scanner.tsx'
import { enableSound } from './scan-feedback.ts'
import styles from './shoot.module.css'
import { ShootSubjectList } from './shoot-subject-list.tsx'
import type { CheckIn } from './use-check-in.ts'

type ShootFinderProps = {
  checkIn: CheckIn
  isScanning: boolean
  onScanning: (isScanning: boolean) => void
  onWalkUp: (code: string) => void
}

/** Finds a subject by card, code or name: the search field, the scanner, and the matches. */
export const ShootFinder = ({ checkIn, isScanning, onScanning, onWalkUp }: ShootFinderProps) => {
  const { day, field, text, setText, matches, message, dismissMessage, chooseSubject, unassignedCode, scan, submit } =
    checkIn
  return (
    <>
      <form className={styles.finder} onSubmit={submit}>
        <Field label="Card, code or name" className={styles.searchField}>
          <TextInput
            ref={field}
            type="search"
            size="lg"
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="go"
            spellCheck={false}
            data-list-filter
            value={text}
            onValue={setText}
          />
        </Field>
        <Button type="submit" size="lg" icon={Search} variant="secondary">
          Find
        </Button>
        <Button
          size="lg"
          icon={ScanQrCode}
          aria-pressed={isScanning}
          onClick={() => {
            enableSound()
            onScanning(!isScanning)
          }}
        >
          {isScanning ? 'Stop' : 'Scan'}
        </Button>
      </form>
      {isScanning && <Scanner onRead={scan} instead="Type the code, or use a hand scanner." />}
      {message !== '' && (
        <Notice
          tone="attention"
          onDismiss={dismissMessage}
          action={
            unassignedCode !== '' && (
              <Button icon={UserPlus} variant="secondary" onClick={() => onWalkUp(unassignedCode)}>
                Walk-up with this card
              </Button>
            )
          }
        >
          {message}
        </Notice>
      )}
      {text.trim() !== '' && (
        <ShootSubjectList
          label="Found"
          subjects={matches}
          empty="No one on the list has that name"
          isUnsent={day.isPending}
          onChoose={(subject) => {
            setText('')
            dismissMessage()
            chooseSubject(subject)
          }}
        />
      )}
    </>
  )
}
