// Command sign signs the checksums of a release in the form that the registries
// require: a detached binary OpenPGP signature. Unlike gpg it needs no keyring,
// so that tests can sign in the same way as the release.
//
//	GPG_PRIVATE_KEY=… PASSPHRASE=… sign -output SHA256SUMS.sig SHA256SUMS
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// The environment variables that hold the armored private key and, if it is
// protected, its passphrase.
const (
	keyVariable        = "GPG_PRIVATE_KEY"
	passphraseVariable = "PASSPHRASE"
)

func main() {
	output := flag.String("output", "", "`file` to write the signature to")
	flag.Parse()
	if flag.NArg() != 1 || *output == "" {
		fmt.Fprintln(os.Stderr, "usage: sign -output <signature> <file>")
		os.Exit(2)
	}
	if err := sign(flag.Arg(0), *output, os.Getenv); err != nil {
		fmt.Fprintf(os.Stderr, "sign %s: %s\n", flag.Arg(0), err)
		os.Exit(1)
	}
}

// sign writes the signature of a file.
func sign(file, signature string, getenv func(string) string) error {
	signer, err := readKey(getenv(keyVariable), getenv(passphraseVariable))
	if err != nil {
		return err
	}
	signed, err := os.Open(file)
	if err != nil {
		return err
	}
	defer signed.Close()
	out, err := os.Create(signature)
	if err != nil {
		return err
	}
	return errors.Join(openpgp.DetachSign(out, signer, signed, nil), out.Close())
}

// readKey decodes the private key. The Terraform registry accepts only RSA.
func readKey(armored, passphrase string) (*openpgp.Entity, error) {
	if armored == "" {
		return nil, fmt.Errorf("%s is empty: want an armored private key", keyVariable)
	}
	keys, err := openpgp.ReadArmoredKeyRing(strings.NewReader(armored))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keyVariable, err)
	}
	signer := keys[0]
	if signer.PrivateKey == nil {
		return nil, fmt.Errorf("%s is a public key", keyVariable)
	}
	if signer.PrimaryKey.PubKeyAlgo != packet.PubKeyAlgoRSA {
		return nil, fmt.Errorf("%s is not an RSA key, and the Terraform registry accepts no other", keyVariable)
	}
	if passphrase == "" && signer.PrivateKey.Encrypted {
		return nil, fmt.Errorf("%s is protected and %s is empty", keyVariable, passphraseVariable)
	}
	if err := signer.DecryptPrivateKeys([]byte(passphrase)); err != nil {
		return nil, fmt.Errorf("%s does not open %s: %w", passphraseVariable, keyVariable, err)
	}
	return signer, nil
}
