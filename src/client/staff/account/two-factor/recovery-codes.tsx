import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import { Button } from '#ui/button/button.tsx'
import { saveFile } from '../../kit/download/download-file.ts'
import { copyText } from '../../kit/screen/copyable-value.tsx'
import styles from './two-factor.module.css'

const fileText = (codes: readonly string[]): string =>
  ['Fieldproof recovery codes. Each works once.', '', ...codes, ''].join('\r\n')

/** New recovery codes, which are shown only now. */
export const RecoveryCodes = ({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) => (
  <div className={styles.setUp}>
    <h2>Save your recovery codes</h2>
    <p>
      Without your authenticator app or passkey, one of these codes signs you in. Each works once. We show them only
      now, so keep them somewhere safe.
    </p>
    <ul className={styles.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div className={styles.actions}>
      <Button variant="secondary" icon={Copy} onClick={() => void copyText(codes.join('\n'), 'The codes are copied')}>
        Copy
      </Button>
      <Button variant="secondary" icon={Printer} onClick={() => window.print()}>
        Print
      </Button>
      <Button
        variant="secondary"
        icon={Download}
        onClick={() => saveFile(new Blob([fileText(codes)], { type: 'text/plain' }), 'fieldproof-recovery-codes.txt')}
      >
        Download
      </Button>
    </div>
    <div>
      <Button onClick={onSaved}>I saved these codes</Button>
    </div>
  </div>
)
