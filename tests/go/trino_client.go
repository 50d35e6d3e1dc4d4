// Command trino_client prints what Trino's client for Go shows of a server: the same for every server that speaks its
// protocol. Standard input: {"url", "token"?, "slow"}. Standard output: a transcript.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/trinodb/trino-go-client/trino"
)

type task struct{ URL, Token, Slow string }

func main() {
	var asked task
	check(json.NewDecoder(os.Stdin).Decode(&asked))
	config := trino.Config{ServerURI: asked.URL, Catalog: "tpch", Schema: "tiny", Source: "peer"}
	if asked.Token != "" {
		config.ExtraCredentials = map[string]string{"token": asked.Token}
	}
	name, err := config.FormatDSN()
	check(err)
	database, err := sql.Open("trino", name)
	check(err)
	defer database.Close()

	show(database, "SELECT n_name, n_nationkey FROM nation WHERE n_nationkey < 3 ORDER BY 1")
	show(database, "SELECT 1, CAST(1.5 AS double), 9007199254740993, 'ü', true, CAST(NULL AS bigint), DATE '2024-02-29', "+
		"TIMESTAMP '2024-02-29 12:34:56.789', TIMESTAMP '2024-02-29 12:34:56.789 UTC', DECIMAL '12.30', X'00ff', ARRAY['a', 'b']")
	show(database, "SELECT n_name FROM nation WHERE n_nationkey = ? AND n_name LIKE ?", 4, "E%")
	show(database, "SELECT ?, ?, ?", "it's ?", true, time.Date(2024, 2, 29, 12, 34, 56, 0, time.UTC))
	show(database, "SELECT nothing")
	show(database, "SHOW TABLES LIKE 'n%'")
	many(database)
	cancel(database, asked.Slow)
}

func show(database *sql.DB, query string, parameters ...any) {
	fmt.Println(">", query)
	rows, err := database.Query(query, parameters...)
	if err != nil {
		fmt.Println("error", told(err))
		return
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	check(err)
	for _, column := range columns {
		length, hasLength := column.Length()
		precision, scale, isDecimal := column.DecimalSize()
		fmt.Println("column", column.Name(), column.DatabaseTypeName(), column.ScanType(), length, hasLength, precision, scale, isDecimal)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		targets := make([]any, len(columns))
		for index := range values {
			targets[index] = &values[index]
		}
		check(rows.Scan(targets...))
		for _, value := range values {
			fmt.Printf("%T %v | ", value, value)
		}
		fmt.Println()
	}
	if rows.Err() != nil {
		fmt.Println("error", told(rows.Err()))
	}
}

// many reads more than one page or segment, and finds the rows in their order.
func many(database *sql.DB) {
	rows, err := database.Query("SELECT l_orderkey, l_comment FROM lineitem ORDER BY l_orderkey, l_linenumber")
	check(err)
	defer rows.Close()
	var count, last, unordered, length int64
	for rows.Next() {
		var key int64
		var comment string
		check(rows.Scan(&key, &comment))
		if key < last {
			unordered++
		}
		last = key
		length += int64(len(comment))
		count++
	}
	check(rows.Err())
	fmt.Println("many", count, last, unordered, length)
}

func cancel(database *sql.DB, slow string) {
	within, end := context.WithTimeout(context.Background(), 2*time.Second)
	defer end()
	begun := time.Now()
	rows, err := database.QueryContext(within, slow)
	if err == nil {
		for rows.Next() {
		}
		err = rows.Err()
		rows.Close()
	}
	fmt.Println("canceled", errors.Is(err, context.DeadlineExceeded), time.Since(begun) < 4*time.Second)
}

func told(err error) string {
	var failed *trino.ErrTrino
	if errors.As(err, &failed) {
		return fmt.Sprint(failed.ErrorName, " ", failed.ErrorCode)
	}
	return err.Error()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
