import { Link } from 'react-router';
import type { SuppressionSettings } from '#contract/calling/suppression-sources.ts';
import { SettingSwitch } from './setting-switch.tsx';

/** Switches the page on where strangers suppress themselves. */
export function PublicPage({ settings }: { settings: SuppressionSettings }) {
  return (
    <section aria-label="Public page" className="grid gap-2">
      <SettingSwitch
        name="publicPage"
        settings={settings}
        label="Public page"
        hint="Anyone may enter their own number or address, and confirm it with a code. No account is needed."
      />
      {settings.publicPage ? (
        <p className="text-sm">
          <Link to="/stop" className="rounded-sm text-accent underline underline-offset-4">
            {`${window.location.origin}/stop`}
          </Link>
        </p>
      ) : null}
    </section>
  );
}
