import { describe, expect, it } from 'vitest';
import {
  firefoxArmPreferenceNames,
  firefoxArmPreferences,
} from '../../../../shared/arms/firefox-arm-preferences.ts';
import { ArmSchema } from '../../../../shared/record/arm.ts';

describe('firefoxArmPreferences', () => {
  it('names the forced origins as Firefox takes them: host;h3=:port', () => {
    const { 'network.http.http3.alt-svc-mapping-for-testing': mapping } = firefoxArmPreferences('h3', [
      'www.a.test:443',
      'localhost:8443',
    ]);
    expect(mapping).toBe('www.a.test;h3=:443,localhost;h3=:8443');
  });

  it('sets the same preferences in every arm, so that one can follow another', () => {
    for (const arm of ArmSchema.options) {
      expect(Object.keys(firefoxArmPreferences(arm, ['a.test:443']))).toEqual(firefoxArmPreferenceNames);
    }
  });

  it('forces nothing where the browser is to choose', () => {
    expect(firefoxArmPreferences('auto', ['a.test:443'])).toMatchObject({
      'network.http.http2.enabled': true,
      'network.http.http3.enable': true,
      'network.http.http3.alt-svc-mapping-for-testing': '',
    });
  });
});
