package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const passphrase = "open sesame"

func newKey(t *testing.T, algorithm packet.PublicKeyAlgorithm, passphrase string) *openpgp.Entity {
	t.Helper()
	key, err := openpgp.NewEntity(
		"Release",
		"",
		"release@example.com",
		&packet.Config{Algorithm: algorithm, RSABits: 2048},
	)
	check.Must(t, err)
	if passphrase != "" {
		check.Must(t, key.EncryptPrivateKeys([]byte(passphrase), nil))
	}
	return key
}

func armored(t *testing.T, key *openpgp.Entity, private bool) string {
	t.Helper()
	kind := openpgp.PublicKeyType
	if private {
		kind = openpgp.PrivateKeyType
	}
	var text bytes.Buffer
	out, err := armor.Encode(&text, kind, nil)
	check.Must(t, err)
	if private {
		err = key.SerializePrivateWithoutSigning(out, nil)
	} else {
		err = key.Serialize(out)
	}
	check.Must(t, err)
	check.Must(t, out.Close())
	return text.String()
}

func signSums(t *testing.T, key, passphrase string) (sums, signature string, err error) {
	t.Helper()
	sums = filepath.Join(t.TempDir(), "SHA256SUMS")
	signature = sums + ".sig"
	check.Must(t, os.WriteFile(sums, []byte("0123  provider.zip\n"), 0o600))
	variables := map[string]string{"GPG_PRIVATE_KEY": key, "PASSPHRASE": passphrase}
	return sums, signature, sign(sums, signature, func(name string) string { return variables[name] })
}

func TestSign(t *testing.T) {
	t.Parallel()
	for name, secret := range map[string]string{"protected key": passphrase, "bare key": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := newKey(t, packet.PubKeyAlgoRSA, secret)
			file, signature, err := signSums(t, armored(t, key, true), secret)
			check.Must(t, err)
			verify := func(content string) error {
				detached, err := os.Open(signature)
				check.Must(t, err)
				defer detached.Close()
				_, err = openpgp.CheckDetachedSignature(
					openpgp.EntityList{key},
					strings.NewReader(content),
					detached,
					nil,
				)
				return err
			}
			content, err := os.ReadFile(file)
			check.Must(t, err)
			check.NoError(t, verify(string(content)))
			check.True(t, "another content fails", verify(string(content)+" ") != nil)
		})
	}
}

func TestSignRefuses(t *testing.T) {
	t.Parallel()
	protected := newKey(t, packet.PubKeyAlgoRSA, passphrase)
	for name, test := range map[string]struct{ key, passphrase, want string }{
		"no key":           {"", "", "GPG_PRIVATE_KEY is empty"},
		"no armor":         {"key", "", "GPG_PRIVATE_KEY: "},
		"public key":       {armored(t, protected, false), "", "is a public key"},
		"elliptic curve":   {armored(t, newKey(t, packet.PubKeyAlgoEd25519, ""), true), "", "not an RSA key"},
		"no passphrase":    {armored(t, protected, true), "", "PASSPHRASE is empty"},
		"wrong passphrase": {armored(t, protected, true), "open barley", "does not open"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, signature, err := signSums(t, test.key, test.passphrase)
			check.True(t, "error", err != nil && strings.Contains(err.Error(), test.want), err, test.want)
			check.True(
				t,
				"the error does not tell the passphrase",
				test.passphrase == "" || !strings.Contains(fmt.Sprint(err), test.passphrase),
				err,
			)
			_, err = os.Stat(signature)
			check.True(t, "no signature was written", err != nil)
		})
	}
}
